#!/usr/bin/env bash
# Installs the Debian packages that the build and the tests need, and only those that are missing.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/setup.sh [PACKAGE…]

Checks that Swift and the Debian packages for building and testing are there, and installs the packages that are
missing (PACKAGE…: more of them). Says what it installs first. Runs apt-get as root, or through sudo.

Example: scripts/setup.sh
TEXT
}

needed=(libssl-dev libpq-dev libevent-dev libcurl4-openssl-dev pkg-config postgresql python3 python3-venv python3-cryptography)
oldest_swift=6.1

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

require_swift() {
    command -v swift >/dev/null ||
        fail "swift is not on the PATH. Install Swift $oldest_swift or newer (https://www.swift.org/install/linux/)."
    local version
    version=$(swift --version 2>/dev/null | sed -nE 's/^.*Swift version ([0-9.]+).*$/\1/p')
    printf '%s\n%s\n' "$oldest_swift" "$version" | sort --version-sort --check=quiet ||
        fail "Swift ${version:-of unknown version} is too old. Install Swift $oldest_swift or newer."
}

print_missing() {
    local package
    for package in "$@"; do
        # The local database answers, so a machine that has everything needs no network and no root.
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s\n' "$package"
    done
}

install() {
    local -a as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "these Debian packages are missing: $*" \
                "Installing them needs root, and there is no sudo. As root, run: apt-get install $*"
        as_root=(sudo)
    fi
    printf 'setup: installing Debian packages%s: %s\n' "${as_root:+ (with sudo)}" "$*"
    if [[ " $* " == *" postgresql "* ]]; then
        printf '%s\n' "setup: Debian also starts a PostgreSQL server of its own with postgresql. Nothing here uses it:" \
            "setup: 'entitled dev' and the tests run private servers. You may stop it (systemctl disable --now postgresql)."
    fi
    local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq)
    { "${apt[@]}" update && "${apt[@]}" install --yes --no-install-recommends "$@"; } ||
        fail "could not install them. The message above says why; to try by hand, as root: apt-get install $*"
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    usage
    exit 0
fi
require_swift
command -v dpkg-query >/dev/null ||
    fail "this is no Debian system. Install what these Debian packages hold, then build with swift build: ${needed[*]}"
mapfile -t missing < <(print_missing "${needed[@]}" "$@")
((${#missing[@]} == 0)) || install "${missing[@]}"
