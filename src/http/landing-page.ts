import { ownProperty } from "../kit/own-property.ts";

/** What one sees when the service's address is opened in a browser: what it is and how to call it. */
export function landingPage(baseUrl: string, auth: "open" | "keys"): string {
  const address = escapeHtml(baseUrl);
  const isKeyed = auth === "keys";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pergamon</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; color: #222; background: #fdfcf9; }
h1 { font-size: 2rem; margin-bottom: 0; }
pre { background: #24292e; color: #f6f8fa; padding: 1rem; border-radius: 6px; overflow-x: auto; }
a { color: #7a3b00; }
</style>
</head>
<body>
<h1>Pergamon</h1>
<p>This service turns one web page into clean data. It is running.</p>
<h2>Try it</h2>
<pre>curl -s ${address}/v2/scrape${isKeyed ? ` -H 'authorization: Bearer fc-…'` : ""} -H 'content-type: application/json' \\
  -d '{"url": "https://example.com"}'</pre>
<h2>Point a client at it</h2>
<pre>export FIRECRAWL_API_URL=${address}${isKeyed ? "\nexport FIRECRAWL_API_KEY=fc-…" : ""}
npx firecrawl-cli scrape https://example.com</pre>
<pre>import { Firecrawl } from "firecrawl";
const client = new Firecrawl({ apiUrl: "${address}"${isKeyed ? `, apiKey: "fc-…"` : ""} });
const page = await client.scrape("https://example.com");</pre>
<p><a href="/docs">Reference</a> · <a href="/openapi.json">OpenAPI</a> · <a href="/readyz">Health</a>${isKeyed ? "" : ` · <a href="/metrics">Metrics</a>`}</p>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"]/g, (character) => ownProperty(entities, character) ?? character);
}
