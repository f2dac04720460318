"""The family "classifier": the conditional distribution of a class given inputs (HM97 §2)."""
