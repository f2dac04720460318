"""The hunt for wrong numbers and the fuzzer: developers' programs, no part of the package."""
