"""`algdim studio`: models drawn in a browser, answered while they are drawn.

A server on this machine gives out a page and passes its questions on to processes; all mathematics is in what these answer.
"""
