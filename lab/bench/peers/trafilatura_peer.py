"""Pages as lines of JSON in, their Markdown by trafilatura out."""

import json
import sys

import trafilatura

for line in sys.stdin:
    page = json.loads(line)
    markdown = trafilatura.extract(
        page["html"],
        url=page["url"],
        output_format="markdown",
        include_links=True,
        include_tables=True,
        include_formatting=True,
    )
    print(json.dumps({"id": page["id"], "markdown": markdown or ""}), flush=True)
