#!/usr/bin/env bash
# The programs that the real parts of the tests ask, from Debian's packages. Ends with 0 if all of them are there now, and
# with 1 and one line that says why not. Python's packages are the extra `real` of pyproject.toml: `make real` has both.
# poLCA, glca and CDM are in neither, and no test asks for them: latent classes are compared with e1071 and StepMix.
set -euo pipefail

programs="M2 Singular gp pdflatex xelatex kpsewhich chromium Rscript zsh fish coqc"
r_packages="lavaan psych psychTools e1071 mclust mlbench"
debian="macaulay2 singular pari-gp chromium texlive-latex-recommended texlive-pictures texlive-science texlive-xetex zsh fish
  r-base-core r-cran-lavaan r-cran-psych r-cran-psychtools r-cran-e1071 r-cran-mclust r-cran-mlbench
  coq libcoq-mathcomp libcoq-mathcomp-multinomials"

missing() {
  local name
  for name in $programs; do
    command -v "$name" >/dev/null || echo "$name"
  done
  if command -v kpsewhich >/dev/null; then
    for name in booktabs siunitx tikz; do
      if [ -z "$(kpsewhich "$name.sty")" ]; then echo "$name"; fi
    done
  fi
  if command -v coqc >/dev/null && [ ! -d "$(coqc -where)/user-contrib/SsrMultinomials" ]; then echo multinomials; fi
  for name in $r_packages; do
    # find.package loads nothing
    Rscript -e "find.package('$name')" >/dev/null 2>&1 || echo "R:$name"
  done
}

not_all() {
  echo "the tests run without: $(missing | paste -sd ' '); $1"
  exit 1
}

if [ -z "$(missing)" ]; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  not_all "as root, with apt-get, they would have been installed"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# A registry that does not answer is given up after a minute; what is not to be had does not keep the rest away.
apt="timeout 600 apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=60 -o Acquire::https::Timeout=60 -o DPkg::Lock::Timeout=60"
$apt update >"$log" 2>&1 || true
# shellcheck disable=SC2086
if ! $apt install -y --no-install-recommends $debian >"$log" 2>&1; then
  for name in $debian; do
    $apt install -y --no-install-recommends "$name" >"$log" 2>&1 || true
  done
fi
if [ -n "$(missing)" ]; then
  not_all "apt-get: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
fi
