import { indented, pythonValue } from "../../format/literals.ts";
import { javascriptClient, pythonClient } from "./sdk-snippets.ts";

type RequestBody = Readonly<Record<string, unknown>>;

export interface SnippetContext {
  /** URL at which clients reach the service. */
  readonly baseUrl: string;
  /** Whether callers need a key: it is taken from the environment, so that no copy holds one. */
  readonly needsKey: boolean;
}

/** The environment variable that the copies read. */
const KEY = "PERGAMON_API_KEY";

/** Ways to call the service → the same request in each of them, ready to be run. */
export const SNIPPETS: Readonly<Record<string, (body: RequestBody, context: SnippetContext) => string>> = {
  JavaScript: javascriptClient,
  Python: pythonClient,
  curl: (body, { baseUrl, needsKey }) =>
    curl(`${baseUrl}/v2/scrape`, JSON.stringify(body, null, 2), needsKey, ""),
  fetch: javascript,
  urllib: python,
  CLI: commandLine,
  MCP: (body, { baseUrl, needsKey }) =>
    curl(`${baseUrl}/mcp`, JSON.stringify(toolCall(body), null, 2), needsKey, MCP_ACCEPT),
};

const MCP_ACCEPT = ` \\\n  -H 'accept: application/json, text/event-stream'`;

function curl(url: string, json: string, needsKey: boolean, more: string): string {
  const key = needsKey ? ` \\\n  -H "authorization: Bearer $${KEY}"` : "";
  return `curl -sS ${quoted(url)} \\\n  -H 'content-type: application/json'${more}${key} \\\n  -d ${quoted(json)}`;
}

function javascript(body: RequestBody, { baseUrl, needsKey }: SnippetContext): string {
  const key = needsKey ? `\n    authorization: \`Bearer \${process.env.${KEY}}\`,` : "";
  return `const response = await fetch(${JSON.stringify(`${baseUrl}/v2/scrape`)}, {
  method: "POST",
  headers: {
    "content-type": "application/json",${key}
  },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), "  ")}),
});
const answer = await response.json();
if (!answer.success) throw new Error(answer.error);
console.log(JSON.stringify(answer.data, null, 2));`;
}

function python(body: RequestBody, { baseUrl, needsKey }: SnippetContext): string {
  const key = needsKey ? `\nheaders["authorization"] = "Bearer " + os.environ["${KEY}"]` : "";
  return `import json${needsKey ? "\nimport os" : ""}
import urllib.request

headers = {"content-type": "application/json"}${key}
request = urllib.request.Request(
    ${JSON.stringify(`${baseUrl}/v2/scrape`)},
    data=json.dumps(${pythonValue(body, 1)}).encode(),
    headers=headers,
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response)["data"], indent=2))`;
}

/** The command scrapes by itself, with the settings of the machine it runs on. */
function commandLine({ url, ...options }: RequestBody): string {
  const command = `pergamon scrape ${quoted(String(url))} --json`;
  if (Object.keys(options).length === 0) return command;
  return `${command} --request /dev/stdin <<'JSON'\n${JSON.stringify(options, null, 2)}\nJSON`;
}

/** Names that the tool takes by themselves; it takes everything else in `options`. */
const TOOL_INPUT: ReadonlySet<string> = new Set([
  "url",
  "formats",
  "onlyMainContent",
  "maxAge",
  "waitFor",
  "timeout",
]);

function toolCall(body: RequestBody): object {
  const entries = Object.entries(body);
  const options = entries.filter(([name]) => !TOOL_INPUT.has(name));
  const input = Object.fromEntries(entries.filter(([name]) => TOOL_INPUT.has(name)));
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "scrape",
      arguments: { ...input, ...(options.length > 0 && { options: Object.fromEntries(options) }) },
    },
  };
}

/** For a shell: nothing within is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
