import { body, type Entrance, searchEngine, upload } from "./entrances.ts";
import { watchers } from "./watchers.ts";

const MEGABYTE = 1024 * 1024;
const BODY_BYTES = 10 * MEGABYTE;
const UPLOAD_BYTES = 50 * MEGABYTE;
/** As many as are read at all. */
const MAX_VALUES = 49_000;
const MAX_MONITORED_URLS = 10_000;
/** As many as a team may have. */
const WATCHERS = 100;

const emptyObjects = (count: number) => Array.from({ length: count }, () => ({}));
const json = (value: unknown) => () => JSON.stringify(value);
const manyValues = emptyObjects(MAX_VALUES);
const url = "http://a.test/";

/** RE2 makes large automata of these, and refuses the largest. */
const patternsOf = (repeats: number) =>
  Array.from({ length: 900 }, (_, index) => `^/(?:[a-z]{1,${repeats}}-?){1,${repeats}}${index}(?:/.*)?$`);

/** Of as many members as are read. */
const WIDE_SCHEMA = {
  type: "object",
  anyOf: Array.from({ length: 1900 }, (_, index) => ({
    properties: { [`p${index}`]: { type: "string", pattern: `^(a+)+${index}$` } },
  })),
};
/** Each definition names the next twice. */
const DOUBLING_SCHEMA = {
  type: "object",
  properties: { first: { $ref: "#/$defs/d0" } },
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === 59 ? { type: "string" } : { anyOf: [next, next] }];
    }),
  ),
};

function tool(name: string, input: object): Entrance {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
  return body("/mcp", 200, json(call));
}

const monitorOf = (targets: unknown) => ({ name: "Many", schedule: { text: "daily" }, targets });
const monitoredUrls = Array.from({ length: MAX_MONITORED_URLS }, (_, index) => `${url}${index}`);

/** By name, as they are reported: the entrances of whole sites and many pages. */
export const messagesOfFamilies: Readonly<Record<string, Entrance>> = {
  "version 1, as many values as are read": body("/v1/scrape", 400, json({ url, formats: manyValues })),
  "version 1, as many patterns as are read": body("/v1/crawl", 400, json({ url, excludePaths: manyValues })),
  "version 1, a list of addresses": body(
    "/v1/batch/scrape",
    400,
    () => `{"urls":[${'"http://a.test/page",'.repeat(190_000)}"http://a.test/"]}`,
  ),
  "version 1, options of pages": body(
    "/v1/crawl",
    400,
    json({ url, scrapeOptions: { formats: manyValues } }),
  ),
  "map, as many values as are read": body("/v2/map", 400, json({ url, includePaths: manyValues })),
  "crawl, patterns": body("/v2/crawl", 200, json({ url, includePaths: patternsOf(8) })),
  "crawl, larger patterns": body("/v2/crawl", 400, json({ url, includePaths: patternsOf(30) })),
  "crawl, as many values as are read": body("/v2/crawl", 400, json({ url, includePaths: manyValues })),
  "search, as many values as are read": body(
    "/v2/search",
    400,
    json({ query: "x", includeDomains: manyValues }),
  ),
  "extract, a wide schema": body("/v2/extract", 200, json({ urls: [url], schema: WIDE_SCHEMA })),
  "extract, a schema that doubles": body("/v2/extract", 200, json({ urls: [url], schema: DOUBLING_SCHEMA })),
  "agent, a wide schema": body("/v2/agent", undefined, json({ prompt: "x", schema: WIDE_SCHEMA })),
  "agent, a schema that doubles": body("/v2/agent", 200, json({ prompt: "x", schema: DOUBLING_SCHEMA })),
  "agent, as many values as are read": body("/v2/agent", 400, json({ prompt: "x", urls: manyValues })),
  "monitor, as many targets as are read": body("/v2/monitor", 400, json(monitorOf(manyValues))),
  "monitor, as many addresses as are taken": body(
    "/v2/monitor",
    200,
    json(monitorOf([{ type: "scrape", urls: monitoredUrls }])),
  ),
  "watchers of a job, most of whom never read": watchers(WATCHERS, () => `<p>${"word ".repeat(60_000)}</p>`),
  "parse, a list of empty objects": upload("list.json", () => `[${"{},".repeat(UPLOAD_BYTES / 3 - 10)}{}]`),
  "parse, a long line": upload("line.csv", () => "x,".repeat(UPLOAD_BYTES / 2 - 1000)),
  "search engine, a list of empty objects": searchEngine(
    () => `{"results":[${"{},".repeat(BODY_BYTES / 3 - 10)}{}]}`,
  ),
  "search engine, a long text": searchEngine(
    () => `{"results":[{"url":"http://b.test/","title":"${"x".repeat(MEGABYTE)}"}]}`,
  ),
  "MCP crawl, as many values as are read": tool("crawl", { url, options: { includePaths: manyValues } }),
  "MCP batch, as many values as are read": tool("batch", { urls: [url], options: { formats: manyValues } }),
  "MCP map, as many values as are read": tool("map", { url, options: { includePaths: manyValues } }),
  "MCP search, as many values as are read": tool("search", {
    query: "x",
    options: { includeDomains: manyValues },
  }),
  "MCP parse, a long text": tool("parse", { path: "x".repeat(BODY_BYTES - 1000) }),
  "MCP agent, a wide schema": tool("agent", { prompt: "x", schema: WIDE_SCHEMA }),
  "MCP monitor, as many targets as are read": tool("monitor", {
    name: "Many",
    urls: [url],
    options: { targets: manyValues },
  }),
};
