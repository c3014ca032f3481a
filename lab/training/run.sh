#!/bin/sh
# Makes the main-content model again and prints its cross-validation. Usage: npm run lab -- training content LABELLED_PAGES [OUT]
set -e
cd "$(dirname "$0")/../.."
pages=$(realpath "$1")
out=${2:-$(mktemp -d)}
python=${PYTHON:-python3}
npx tsx -C pergamon-source --max-old-space-size=6000 lab/training/dump.ts --pages "$pages/data/dev" --out "$out"
"$python" lab/training/train.py "$out" --model
"$python" lab/training/export.py "$out" packages/html/src/main-content/model/model-data.json
npx tsx -C pergamon-source lab/training/evaluate.ts --pages "$pages/data/dev" --tool "$pages/tool" --out "$out" --save "$out/evaluation.json" --note
