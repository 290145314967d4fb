#!/usr/bin/env bash
# Builds the runner's image with buildah, which needs no Docker engine: tools/image.sh [OPTIONS]
#   --base IMAGE    an image with Node 24 as `node`; the default is a local base with the project's own Node, this machine's C library
#                   and CA certificates, which needs no registry
#   --tag NAME      name of the image in buildah's storage (default: localhost/target-release-preflight:latest)
#   --storage DIR   folder for buildah's storage instead of the default one
#   --output FILE   also write the image to this OCI archive
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
base='' pull=--pull tag=localhost/target-release-preflight:latest output='' storage=()
while (($#)); do
  (($# > 1)) || { echo "image.sh: $1 needs a value, or is unknown" >&2 && exit 2; }
  case $1 in
  --base) base=$2 ;;
  --tag) tag=$2 ;;
  --storage) storage=(--root "$2/root" --runroot "$2/run") ;;
  --output) output=$2 ;;
  *) echo "image.sh: unknown argument $1" >&2 && exit 2 ;;
  esac
  shift 2
done
command -v buildah >/dev/null || { echo 'image.sh: needs buildah: install the package of that name' >&2 && exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
build() { buildah --storage-driver vfs "${storage[@]}" "$@"; }

# The smallest file system that runs Node. Sorted names and no times or owners make the image reproducible on one machine.
make_base() { # IMAGE
  local node root=$work/base file container
  node=$(node --input-type=module -e 'import { findNode } from "./tools/set-up.mjs"; console.log(findNode() ?? "")')
  install -D -m 755 "$node" "$root/usr/local/bin/node"
  ldd "$node" | grep -o '/[^ ]*' | while read -r file; do install -D -m 755 "$file" "$root$file"; done
  install -d -m 1777 "$root/tmp"
  install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  printf 'root:x:0:0:root:/:/nologin\nnonroot:x:65532:65532:nonroot:/:/nologin\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"
  printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
  tar -C "$root" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$work/base.tar" .
  container=$(build from scratch)
  build add --quiet "$container" "$work/base.tar" / >/dev/null
  build config --env PATH=/usr/local/bin --label node="$("$node" --version)" "$container"
  build commit --quiet --rm --timestamp 0 "$container" "$1" >/dev/null
}

node tools/bootstrap.mjs build >&2
if [[ -z $base ]]; then
  base=localhost/preflight-base:latest pull=--pull-never
  make_base "$base"
fi
build build --quiet $pull --timestamp 0 --build-arg "BASE=$base" --file Dockerfile --tag "$tag" . >/dev/null
[[ -z $output ]] || build push --quiet "$tag" "oci-archive:$output" >/dev/null
build inspect --type image --format "$tag {{.FromImageID}}" "$tag"
