"""A page as Markdown, with the Python client: pip install firecrawl-py, then
python examples/scrape.py https://example.com"""

import os
import sys

from firecrawl import Firecrawl

page = sys.argv[1] if len(sys.argv) > 1 else "https://example.com"
client = Firecrawl(
    api_url=os.environ.get("FIRECRAWL_API_URL", "http://127.0.0.1:3002"),
    # On the own machine any text will do.
    api_key=os.environ.get("FIRECRAWL_API_KEY", "none"),
)

document = client.scrape(page, formats=["markdown", "links"], only_main_content=True, timeout=30_000)
print(document.markdown)
print(f"{len(document.links or [])} links on {document.metadata.url}, status {document.metadata.status_code}")
