#!/usr/bin/env bash
# Installs what PhysX needs to be compiled (clang) and any Rust program (a linker), then compiles everything. Debian 12 and Ubuntu 22.04 or newer.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v clang++ >/dev/null; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" apt-get install -y build-essential clang
fi
if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install Rust 1.89 or newer from https://rustup.rs, then run this again" >&2
    exit 1
fi
cargo build --release
