"""Sweeps: latent class models per second on one processor, each with its proof and its row, as a worker of a sweep makes them."""

from __future__ import annotations

from time import process_time

import measuring

KIND = "lc cells<=260"
EVERY, QUICK_EVERY = 12, 120
GOAL = 400.0


def sections(quick: bool) -> list[measuring.Section]:
    """One line for each method, and the sum."""
    from algdim.sweeping.language import read_sweep
    from algdim.sweeping.tasks import Settings, compute_row

    texts = list(read_sweep(KIND).entries(keep_going=False).models)
    chosen, settings = texts[:: QUICK_EVERY if quick else EVERY], Settings()
    compute_row("3:2,2,2,2", settings)  # loads what it needs
    found: dict[str, list[float]] = {}
    proved, slowest = 0, (0.0, "")
    for text in chosen:
        began = process_time()
        row = compute_row(text, settings)
        seconds = process_time() - began
        proved += bool(row["exact"])
        found.setdefault(f"{row['method']}, {row['upper_kind']}", []).append(seconds)
        slowest = max(slowest, (seconds, text))
    total = sum(map(sum, found.values()))
    rows = [
        [name, str(len(times)), f"{1000 * sum(times) / len(times):.2f}", f"{sum(times) / total:.2f}"]
        for name, times in sorted(found.items(), key=lambda entry: -sum(entry[1]))
    ]
    rate = len(chosen) / total
    about = (
        f"Every {QUICK_EVERY if quick else EVERY}th of the {len(texts)} latent class models with at most 260 cells, one after the other in a warm process: model, proof, row of the store;\n"
        "seconds of processor time. *method* is where the lower and the upper bound come from."
    )
    remarks = [f"{rate:.0f} models per second and core; the slowest is {slowest[1]}, {1000 * slowest[0]:.0f} ms"]
    verdicts = [
        measuring.at_least("share that is proved", proved / len(chosen), 1.0),
        measuring.at_least("models per second and core", rate, GOAL),
    ]
    return [
        measuring.Section(
            "Sweeps", about, ["method", "models", "milliseconds each", "share of the time"], rows, remarks, verdicts
        )
    ]
