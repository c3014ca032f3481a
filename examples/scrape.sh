#!/bin/sh
# A page as Markdown, with curl alone: examples/scrape.sh https://example.com
set -eu
service=${FIRECRAWL_API_URL:-http://127.0.0.1:3002}
page=${1:-https://example.com}

# Without FIRECRAWL_API_KEY no key is sent: none is needed on the own machine.
curl --silent --show-error --fail-with-body "$service/v2/scrape" \
  ${FIRECRAWL_API_KEY:+--header "authorization: Bearer $FIRECRAWL_API_KEY"} \
  --header 'content-type: application/json' \
  --data "{\"url\": \"$page\", \"formats\": [\"markdown\", \"links\"]}"
echo
