"""The papers next door: what they print, judged; their experiments, run again; their tables. It stands upon the engine, algdim."""
