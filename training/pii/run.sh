#!/bin/sh
# Makes the tagger of names again and prints its cross-validation. Usage: training/pii/run.sh LABELLED_TEXTS
set -e
cd "$(dirname "$0")/../.."
lists=$(mktemp)
"${PYTHON:-python3}" training/pii/lists.py > "$lists"
npx tsx --max-old-space-size=5000 training/pii/train.ts --lists "$lists" --data "$1" --folds 4 --out src/content/pii/tagger/tagger-data.json
rm "$lists"
