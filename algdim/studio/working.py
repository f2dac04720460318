"""The process in which questions are answered, as a program: it can be ended at any moment, and its memory is limited."""

from __future__ import annotations

from importlib import import_module
from threading import Thread

from algdim.studio.answering import MEMORY, answer_question
from algdim.sweeping.processes import answer_lines, open_answers

FIRST = (
    {"question": "dim", "text": "2:2,2"},
    {"question": "constraints", "text": "gaussian: H -> A, B, C, D; hidden H"},
    {"question": "constraints", "text": "A -> C <- H -> D <- B; hidden H"},
    {"question": "dim", "text": "classifier Y: Y -> A, B"},
    {"question": "read", "text": "A <- H -> B; hidden H"},
)
"""Answered before anybody asks: what is loaded for them takes neither the time nor the memory of the first question."""


def main() -> None:
    """Answer questions until there are no more."""
    answers = open_answers()
    for one in FIRST:
        answer_question(one)
    # a few models need it, and nobody is to wait for it
    Thread(target=import_module, args=("networkx",), daemon=True).start()
    answer_lines(answers, answer_question, MEMORY)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the server has gone: there is nobody to tell
        raise SystemExit(0) from None
