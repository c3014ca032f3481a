#!/bin/sh
# Makes the main-content model again and prints its cross-validation. Usage: npm --prefix training run content -- LABELLED_PAGES [OUT]
set -e
cd "$(dirname "$0")/.."
pages=$(realpath "$1")
out=${2:-$(mktemp -d)}
python=${PYTHON:-python3}
npx tsx --max-old-space-size=6000 training/dump.ts --pages "$pages/data/dev" --out "$out"
"$python" training/train.py "$out" --model
"$python" training/export.py "$out" src/page-content/main-content/model/model-data.json
npx tsx training/evaluate.ts --pages "$pages/data/dev" --tool "$pages/tool" --out "$out" --save "$out/evaluation.json" --note
