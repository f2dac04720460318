"""Claims: the numbers that the papers print, as data, and the verdicts on them."""
