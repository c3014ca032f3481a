import { ownProperty } from "@pergamon-dev/kit/own-property";

interface LandingFacts {
  readonly auth: "open" | "keys";
  readonly hasDashboard: boolean;
}

/** Colours and sizes match the dashboard's `packages/dashboard/src/styles/tokens.css`. */
const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#faf8f4, #131210); --surface: light-dark(#fff, #1b1a17); --line: light-dark(#e6e1d8, #2d2a25);
  --ink: light-dark(#1d1a16, #f2eee7); --ink-2: light-dark(#575249, #bdb6aa);
  --accent: light-dark(#0b6e63, #4cc3b0); --accent-ink: light-dark(#fff, #06231f);
}
* { box-sizing: border-box; }
body { font: 15px/23px system-ui, sans-serif; max-width: 760px; margin: 0 auto; padding: 56px 20px; color: var(--ink); background: var(--bg); }
header { display: flex; align-items: center; gap: 12px; }
header svg { width: 34px; height: 34px; flex: none; }
h1 { font-size: 26px; line-height: 34px; letter-spacing: -.015em; margin: 0; }
h2 { font-size: 15px; margin: 32px 0 8px; }
p { color: var(--ink-2); margin: 12px 0 20px; }
pre { font: 12.5px/20px ui-monospace, monospace; margin: 0 0 10px; padding: 14px 16px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
a { color: var(--accent); text-underline-offset: 3px; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 20px; }
.primary { display: inline-block; padding: 8px 16px; border-radius: 6px; font-weight: 500; text-decoration: none; color: var(--accent-ink); background: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

const MARK = `<svg viewBox="0 0 22 22" aria-hidden="true"><rect width="22" height="22" rx="5" fill="var(--accent)"/><path d="M6 6.2h8.2a2 2 0 0 1 2 2v.4H8.2v7.2M8.2 11.2h5.6M8.2 13.6h4" stroke="var(--accent-ink)" stroke-width="1.6" fill="none" stroke-linecap="round"/></svg>`;

/** The page at the service's root URL, which says how to call the service. */
export function landingPage(baseUrl: string, { auth, hasDashboard }: LandingFacts): string {
  const address = escapeHtml(baseUrl);
  const isKeyed = auth === "keys";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pergamon</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${MARK}<h1>Pergamon</h1></header>
<p>This service turns web pages and documents into clean data. It is running.</p>
<nav aria-label="Places">
${hasDashboard ? `<a class="primary" href="/dashboard">Open dashboard</a>` : ""}
<a href="/docs">API reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/readyz">Health</a>${isKeyed ? "" : ` <a href="/metrics">Metrics</a>`}
</nav>
<h2>Try it</h2>
<pre>curl -s ${address}/v2/scrape${isKeyed ? ` -H 'authorization: Bearer fc-…'` : ""} -H 'content-type: application/json' \\
  -d '{"url": "https://example.com"}'</pre>
<h2>Point a client at it</h2>
<pre>export FIRECRAWL_API_URL=${address}${isKeyed ? "\nexport FIRECRAWL_API_KEY=fc-…" : ""}
npx firecrawl-cli scrape https://example.com</pre>
<pre>import { Firecrawl } from "firecrawl";
const client = new Firecrawl({ apiUrl: "${address}"${isKeyed ? `, apiKey: "fc-…"` : ""} });
const page = await client.scrape("https://example.com");</pre>
</main>
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
