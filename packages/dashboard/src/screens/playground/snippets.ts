import { quoted, SNIPPETS as PLAIN } from "../../format/request-snippets.ts";
import { javascriptClient, pythonClient } from "./sdk-snippets.ts";

type RequestBody = Readonly<Record<string, unknown>>;

export interface SnippetContext {
  /** URL at which clients reach the service. */
  readonly baseUrl: string;
  /** Whether callers need a key: it is taken from the environment, so that no copy holds one. */
  readonly needsKey: boolean;
}

/** Ways to call the service → the same request in each of them, ready to be run. */
export const SNIPPETS: Readonly<Record<string, (body: RequestBody, context: SnippetContext) => string>> = {
  JavaScript: javascriptClient,
  Python: pythonClient,
  curl: (body, context) => PLAIN.curl(postOf("/v2/scrape", body, context)),
  fetch: (body, context) => PLAIN.JavaScript(postOf("/v2/scrape", body, context)),
  urllib: (body, context) => PLAIN.Python(postOf("/v2/scrape", body, context)),
  CLI: commandLine,
  MCP: (body, context) =>
    PLAIN.curl({ ...postOf("/mcp", toolCall(body), context), accept: "application/json, text/event-stream" }),
};

function postOf(path: string, json: object, { baseUrl, needsKey }: SnippetContext) {
  return { method: "POST", url: baseUrl + path, json, key: needsKey ? "FIRECRAWL_API_KEY" : undefined };
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
