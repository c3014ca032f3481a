#!/bin/sh
# Makes the tagger of names again and prints its cross-validation. Usage: npm run lab -- training pii LABELLED_TEXTS
set -e
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Their words are data: what the service itself needs is not installed with them.
cp lab/package.json "$work"
npm install --prefix "$work" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel error
"${PYTHON:-python3}" lab/training/pii/lists.py > "$work/lists.json"
npx tsx -C pergamon-source --max-old-space-size=5000 lab/training/pii/train.ts --lists "$work/lists.json" --packages "$work" --data "$1" \
  --folds 4 --out packages/facts/src/redaction/tagger/tagger-data.json | npx tsx -C pergamon-source lab/training/note-by-site.ts pii
