#!/bin/sh
# Installs preflight @VERSION@ on Linux (x64 and arm64), without root:
#   sh install.sh [--prefix DIR] [--from DIR]
#   --prefix DIR  where bin/ and share/ are (default: $PREFIX, or ~/.local)
#   --from DIR    take the release's files from this folder instead of @URL@
# It installs nothing whose sha256 is not the one that is written here.
set -eu

version=@VERSION@
url='@URL@'
prefix=${PREFIX:-${HOME:+$HOME/.local}}
from=''

say() { printf 'install.sh: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}
usage() {
  say "$* (sh install.sh [--prefix DIR] [--from DIR])"
  exit 2
}

# Nothing is done before the whole script is there.
main() {
  while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --from)
      [ $# -gt 1 ] || usage "$1 needs a folder"
      if [ "$1" = --prefix ]; then prefix=$2; else from=$2; fi
      shift 2
      ;;
    *) usage "unknown argument $1" ;;
    esac
  done
  [ -n "$prefix" ] || usage 'there is no HOME: name a folder with --prefix DIR'

  [ "$(uname -s)" = Linux ] || fail "there is no executable for $(uname -s): use the npm package, with Node @NODE@ or newer"
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 sum=@SUM_AMD64@ ;;
  aarch64 | arm64) arch=arm64 sum=@SUM_ARM64@ ;;
  *) fail "there is no executable for $(uname -m): use the npm package, with Node @NODE@ or newer" ;;
  esac
  file=preflight-$version-linux-$arch.tar.gz

  work=$(mktemp -d "${TMPDIR:-/tmp}/preflight-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  if [ -n "$from" ]; then
    say "takes $from/$file"
    cp "$from/$file" "$work/$file" || fail "$from has no $file"
  elif command -v curl >/dev/null 2>&1; then
    say "downloads $url$file"
    curl -fsSL --proto '=https' -o "$work/$file" "$url$file" || fail "$url$file can't be downloaded"
  elif command -v wget >/dev/null 2>&1; then
    say "downloads $url$file"
    wget -q -O "$work/$file" "$url$file" || fail "$url$file can't be downloaded"
  else
    fail 'needs curl or wget: install one of them, or name a folder with the files: --from DIR'
  fi

  if command -v sha256sum >/dev/null 2>&1; then
    found=$(sha256sum <"$work/$file")
  elif command -v shasum >/dev/null 2>&1; then
    found=$(shasum -a 256 <"$work/$file")
  elif command -v openssl >/dev/null 2>&1; then
    found=$(openssl dgst -sha256 -r <"$work/$file")
  else
    fail 'needs sha256sum, shasum or openssl to verify the download'
  fi
  found=${found%% *}
  [ "$found" = "$sum" ] || fail "refuses $file: its sha256 is $found, not $sum"
  say "sha256 of $file is right"

  mkdir "$work/files"
  tar -xzf "$work/$file" -C "$work/files"
  "$work/files/preflight" --version >"$work/version" 2>"$work/problem" ||
    fail "the executable does not start here: $(cat "$work/problem"). It needs glibc @GLIBC@ and libstdc++; the npm package needs Node @NODE@ alone"

  say "installs into $prefix"
  doc=$prefix/share/doc/target-release-preflight
  mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$doc"
  # In the folder itself, so that a running preflight keeps its file, and a copy that breaks off is none.
  cp "$work/files/preflight" "$prefix/bin/.preflight.$$"
  chmod 755 "$prefix/bin/.preflight.$$"
  mv -f "$prefix/bin/.preflight.$$" "$prefix/bin/preflight"
  ln -sf preflight "$prefix/bin/kubectl-preflight_update"
  cp "$work/files/preflight.1" "$prefix/share/man/man1/preflight.1"
  cp "$work/files/LICENSE" "$work/files/LICENSE.node" "$work/files/licenses.txt" "$doc/"

  say "$(cat "$work/version") is in $prefix/bin, also as the plugin 'kubectl preflight-update'"
  case :${PATH:-}: in
  *":$prefix/bin:"*) ;;
  *) say "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

main "$@"
