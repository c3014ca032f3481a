#!/bin/sh
# Makes the tagger of names again and prints its cross-validation. Usage: training/pii/run.sh LABELLED_TEXTS
set -e
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages="compromise@14.17.0 de-compromise@0.0.10 fr-compromise@0.2.8 es-compromise@0.2.11"
for language in de fr es it pl pt-br; do
  packages="$packages @codingame/monaco-vscode-language-pack-$language@25.1.2"
done
# shellcheck disable=SC2086
npm install --prefix "$work" --no-save --ignore-scripts --no-audit --no-fund --loglevel error $packages
"${PYTHON:-python3}" training/pii/lists.py > "$work/lists.json"
npx tsx --max-old-space-size=5000 training/pii/train.ts --lists "$work/lists.json" --packages "$work" --data "$1" \
  --folds 4 --out src/judgement/pii/tagger/tagger-data.json | npx tsx training/note-by-site.ts pii
