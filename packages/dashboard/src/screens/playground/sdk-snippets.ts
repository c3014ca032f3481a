import { indented, pythonValue } from "../../format/literals.ts";
import type { SnippetContext } from "./snippets.ts";

type RequestBody = Readonly<Record<string, unknown>>;

const KEY = "FIRECRAWL_API_KEY";

/** Options by the names that the Python client has for them. */
const PYTHON_OPTIONS: ReadonlySet<string> = new Set(
  (
    "formats headers includeTags excludeTags onlyMainContent timeout waitFor mobile parsers actions location " +
    "skipTlsVerification removeBase64Images fastMode blockAds proxy maxAge storeInCache lockdown checkPromptInjection " +
    "profile integration domainTools toolDetail"
  ).split(" "),
);

/** With the official client for JavaScript, which takes every option as it is. */
export function javascriptClient(
  { url, ...options }: RequestBody,
  { baseUrl, needsKey }: SnippetContext,
): string {
  const key = needsKey ? `process.env.${KEY}` : '"none"';
  return `// npm install firecrawl
import { Firecrawl } from "firecrawl";

const firecrawl = new Firecrawl({ apiUrl: ${JSON.stringify(baseUrl)}, apiKey: ${key} });
const page = await firecrawl.scrape(${JSON.stringify(url)}, ${indented(JSON.stringify(options, null, 2), "")});
console.log(JSON.stringify(page, null, 2));`;
}

/** With the official client for Python; options that it does not have are named, never left out in silence. */
export function pythonClient(
  { url, ...options }: RequestBody,
  { baseUrl, needsKey }: SnippetContext,
): string {
  const known = Object.entries(options).filter(([name]) => PYTHON_OPTIONS.has(name));
  const missing = Object.keys(options).filter((name) => !PYTHON_OPTIONS.has(name));
  const key = needsKey ? `os.environ["${KEY}"]` : '"none"';
  const given = known.map(([name, value]) => `\n    ${snakeCase(name)}=${pythonValue(value, 1)},`);
  const note =
    missing.length === 0 ? "" : `# The client has no option ${missing.join(", ")}: use HTTP for it.\n`;
  return `# pip install firecrawl-py
${needsKey ? "import os\n\n" : ""}from firecrawl import Firecrawl

firecrawl = Firecrawl(api_url=${JSON.stringify(baseUrl)}, api_key=${key})
${note}page = firecrawl.scrape(
    ${JSON.stringify(url)},${given.join("")}
)
print(page.model_dump_json(indent=2, exclude_none=True))`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
