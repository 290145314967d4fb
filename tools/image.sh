#!/usr/bin/env bash
# Builds the runner's image with buildah, which needs no Docker engine: tools/image.sh [OPTIONS]
#   --base IMAGE    an image with Node 24 as `node`, or `default` for that of the Dockerfile; without it, a local base with the project's
#                   own Node, this machine's C library and CA certificates, which needs no registry
#   --arch ARCH     amd64 or arm64; the default is this machine's. A local base for the other one takes the C library of Debian's package
#                   libc6-arm64-cross (libc6-amd64-cross)
#   --tag NAME      name of the image in buildah's storage (default: localhost/target-release-preflight:latest)
#   --storage DIR   folder for buildah's storage instead of the default one
#   --output FILE   also write the image to this OCI archive, under its name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
base='' arch='' pull=--pull tag=localhost/target-release-preflight:latest output='' storage=()
while (($#)); do
  (($# > 1)) || { echo "image.sh: $1 needs a value, or is unknown" >&2 && exit 2; }
  case $1 in
  --base) base=$2 ;;
  --arch) arch=$2 ;;
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

here=$(dpkg --print-architecture 2>/dev/null || uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
arch=${arch:-$here}
case $arch in
amd64) cpu=x64 triplet=x86_64-linux-gnu loader=/lib64/ld-linux-x86-64.so.2 ;;
arm64) cpu=arm64 triplet=aarch64-linux-gnu loader=/lib/ld-linux-aarch64.so.1 ;;
*) echo "image.sh: --arch $arch: use amd64 or arm64" >&2 && exit 2 ;;
esac

# A program with the libraries that it needs.
add_program() { # ROOT FROM TO
  local file
  install -D -m 755 "$2" "$1$3"
  ldd "$2" | grep -o '/[^ ]*' | while read -r file; do install -D -m 755 "$file" "$1$file"; done
}

# Node of the other architecture, which this machine's ldd can't read.
add_foreign_node() { # ROOT
  local lib=/usr/$triplet/lib name node
  node=$(node_modules/.bin/node tools/release/node-folder.ts "$cpu")/bin/node
  [[ -e $lib/libc.so.6 ]] || { echo "image.sh: needs the C library of $arch: install libc6-$arch-cross, libstdc++6-$arch-cross, libgcc-s1-$arch-cross" >&2 && exit 1; }
  install -D -m 755 "$node" "$1/usr/local/bin/node"
  install -D -m 755 "$lib/$(basename "$loader")" "$1$loader"
  for name in libc.so.6 libdl.so.2 libgcc_s.so.1 libm.so.6 libpthread.so.0 libstdc++.so.6; do
    install -D -m 755 "$lib/$name" "$1/lib/$triplet/$name"
  done
}

# The smallest file system that runs Node. Sorted names and no times or owners make the image reproducible on one machine.
make_base() { # IMAGE ARCH
  local root=$work/$2 container
  if [[ $2 == "$here" ]]; then add_program "$root" "$node" /usr/local/bin/node; else add_foreign_node "$root"; fi
  install -d -m 1777 "$root/tmp"
  install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  printf 'root:x:0:0:root:/:/nologin\nnonroot:x:65532:65532:nonroot:/:/nologin\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"
  printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
  tar -C "$root" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$work/base.tar" .
  container=$(build from --arch "$2" scratch)
  build add --quiet "$container" "$work/base.tar" / >/dev/null
  build config --arch "$2" --env PATH=/usr/local/bin:/bin --label node="$("$node" --version)" "$container"
  build commit --quiet --rm --timestamp 0 "$container" "$1" >/dev/null
  rm -rf "$root"
}

# What runs the commands of the Dockerfile, on top of a base that both images share where they are of one architecture.
make_builder() { # IMAGE FROM
  local root=$work/builder container
  add_program "$root" /bin/sh /bin/sh
  container=$(build from --pull-never "$2")
  build add --quiet "$container" "$root" / >/dev/null
  build commit --quiet --rm --timestamp 0 "$container" "$1" >/dev/null
  rm -rf "$root"
}

arguments=()
if [[ -z $base ]]; then
  # The Dockerfile builds: here are only the packages installed that it needs.
  node=$(node --input-type=module -e 'import { findNode, install } from "./tools/set-up.mjs"; if (install()) console.log(findNode() ?? "")')
  [[ -n $node ]] || exit 1
  pull=--pull-never
  native=localhost/preflight-base:latest
  make_base "$native" "$arch"
  if [[ $arch != "$here" ]]; then
    native=localhost/preflight-native:latest
    make_base "$native" "$here"
  fi
  make_builder localhost/preflight-builder:latest "$native"
  # The local builder has no npm: it takes the packages that are installed here.
  arguments=(--build-arg BUILDER=localhost/preflight-builder:latest --build-arg BASE=localhost/preflight-base:latest
    --volume "$(realpath node_modules):/src/node_modules:ro")
elif [[ $base != default ]]; then
  arguments=(--build-arg "BASE=$base")
fi
build build --quiet $pull --build-arg "BUILDPLATFORM=linux/$here" --build-arg "TARGETPLATFORM=linux/$arch" --arch "$arch" --timestamp 0 "${arguments[@]}" --file Dockerfile --tag "$tag" . >/dev/null
[[ -z $output ]] || build push --quiet "$tag" "oci-archive:$output:$tag" >/dev/null
build inspect --type image --format "$tag {{.FromImageID}}" "$tag"
