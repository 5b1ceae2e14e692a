#!/usr/bin/env bash
# Installs what is missing of clang (which compiles PhysX), a linker and Rust, then compiles everything. Debian 12 and Ubuntu 22.04 or newer.
set -euo pipefail
cd "$(dirname "$0")"

PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
missing=()
command -v clang++ >/dev/null || missing+=(clang)
command -v cc >/dev/null || missing+=(build-essential)
command -v cargo >/dev/null || missing+=(ca-certificates curl)
if [ ${#missing[@]} != 0 ]; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
fi
if ! command -v cargo >/dev/null; then
    curl --proto '=https' --tlsv1.2 -sSf https://static.rust-lang.org/rustup/rustup-init.sh | sh -s -- -y --profile minimal
fi
cargo build --release --locked
