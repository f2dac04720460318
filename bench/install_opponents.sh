#!/usr/bin/env bash
# The programs that algdim is compared with, from Debian's packages; Python's are the extra `bench` of pyproject.toml.
# Ends with 0 if all of them are there now, and with 1 and one line that names those that are missing. Neither in Debian nor
# in a package registry of Python: poLCA, glca, VarSelLCM.
set -euo pipefail

missing() {
  local name
  for name in g++ M2 Singular Rscript; do
    command -v "$name" >/dev/null || echo "$name"
  done
  for name in fflas-ffpack/fflas-ffpack.h NTL/mat_lzz_p.h; do
    echo "#include <$name>" | g++ -x c++ -E - >/dev/null 2>&1 || echo "$name"
  done
  if command -v Rscript >/dev/null; then
    Rscript -e "find.package('e1071')" >/dev/null 2>&1 || echo R:e1071
  fi
}

if [ -n "$(missing)" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  timeout 600 apt-get -qq update >/dev/null 2>&1 || true
  # with reference BLAS FFLAS-FFPACK takes five times as long
  for name in g++ macaulay2 singular r-base-core r-cran-e1071 fflas-ffpack libopenblas-dev libntl-dev libgmp-dev; do
    timeout 600 apt-get -qq -o DPkg::Lock::Timeout=60 install -y --no-install-recommends "$name" >/dev/null 2>&1 || true
  done
fi
left=$(missing | paste -sd ' ')
if [ -n "$left" ]; then
  echo "not to be had: $left; the benchmarks skip it"
  exit 1
fi
