#!/bin/sh
# Makes the product models again and prints their cross-validation. Usage: npm run lab -- training product PRODUCT_PAGES LABELLED_TEXTS [OUT]
set -e
cd "$(dirname "$0")/../../.."
products=$(realpath "$1")
texts=$(realpath "$2")
out=${3:-$(mktemp -d)}
mkdir -p "$out"
python=${PYTHON:-python3}
model=packages/facts/src/product/model-data.json
folders="--pages $products/data --others $texts/data/dev --out $out"
npx tsx -C pergamon-source --max-old-space-size=4000 lab/training/product/dump.ts $folders
"$python" lab/training/product/train.py "$out" --model "$model"
"$python" lab/training/product/train_skus.py "$out" --model "$model"
npx tsx -C pergamon-source --max-old-space-size=4000 lab/training/product/dump-pages.ts $folders
"$python" lab/training/product/train_pages.py "$out" --model "$model"
LABELLED_PAGES="$products/data" LABELLED_TEXTS="$texts/data/dev" MODEL_FOLDER="$out" \
  node --conditions=pergamon-source --import tsx "$products/score.mjs" --module lab/training/product/evaluate.ts#product | npx tsx -C pergamon-source lab/training/note-by-site.ts product
