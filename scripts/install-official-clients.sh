#!/usr/bin/env bash
# Installs the official clients that are too large to be dependencies, in the versions that the tests know:
# scripts/install-official-clients.sh <folder>; then OFFICIAL_CLIENTS=<folder> npm test
set -e
folder=$1
npm install -q --no-save --prefix "$folder" \
  firecrawl-cli@1.23.3 firecrawl-mcp@3.26.0 firecrawl-aisdk@0.12.0 ai zod
python3 -m venv "$folder/py"
"$folder/py/bin/pip" install -q firecrawl-py playwright
# It wants packages newer than some mirrors have, and works with those a little older.
"$folder/py/bin/pip" install -q --no-deps firecrawl-py==4.55.0
