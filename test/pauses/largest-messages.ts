import {
  body,
  cdp,
  code,
  type Entrance,
  live,
  model,
  page,
  provider,
  script,
  storedAnswer,
  webhook,
} from "./entrances.ts";

const MEGABYTE = 1024 * 1024;
/** Of a body; of a message of the DevTools protocol; of a viewer; of a page. */
const BODY_BYTES = 10 * MEGABYTE;
const CDP_BYTES = 16 * MEGABYTE;
const VIEWER_BYTES = 512 * 1024;
const PAGE_BYTES = 50 * MEGABYTE;
const REPLY_BYTES = 4 * MEGABYTE;
/** Of all messages that are read on the main thread, the one that costs most: as many values as are allowed. */
const MAX_VALUES = 49_000;

const emptyObjects = (sizeBytes: number) => "{},".repeat(Math.floor(sizeBytes / 3)).slice(0, -1);
const noise = (sizeBytes: number) => "x".repeat(sizeBytes);
/** As long as a body may be. */
const filled = (start: string, filling: (sizeBytes: number) => string, end: string) =>
  start + filling(BODY_BYTES - start.length - end.length) + end;

const PARAGRAPH = `<p>${"word ".repeat(20)}</p>`;
const largePage = () => PARAGRAPH.repeat(PAGE_BYTES / PARAGRAPH.length - 1);
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scrape","arguments":{';
const SCRAPE = '{"url":"http://a.test/",';

/** By name, as they are reported. */
export const entrances: Readonly<Record<string, Entrance>> = {
  "REST, a list of empty objects": body("/v2/scrape", 400, () =>
    filled(`${SCRAPE}"formats":[`, emptyObjects, "]}"),
  ),
  "REST, a long text": body("/v2/scrape", 400, () => filled('{"url":"http://a.test/', noise, '"}')),
  "REST, as many values as are read": body(
    "/v2/scrape",
    400,
    () => `${SCRAPE}"formats":[${emptyObjects(MAX_VALUES * 3)}]}`,
  ),
  "REST, a list of addresses": body(
    "/v2/batch/scrape",
    400,
    () => `{"urls":[${'"http://a.test/page",'.repeat(190_000)}"http://a.test/"]}`,
  ),
  "MCP, a list of empty objects": body("/mcp", 400, () => filled(`${CALL}"formats":[`, emptyObjects, "]}}}")),
  "MCP, a long text": body("/mcp", 200, () => filled(`${CALL}"url":"`, noise, '"}}}')),
  "MCP, as many values as are read": body(
    "/mcp",
    200,
    () => `${CALL}"formats":[${emptyObjects(MAX_VALUES * 3)}]}}}`,
  ),
  "CDP, a list of empty objects": cdp(
    () =>
      `{"id":1,"method":"Runtime.callFunctionOn","params":{"arguments":[${emptyObjects(CDP_BYTES - 100)}]}}`,
  ),
  "CDP, a long text": cdp(
    () =>
      `{"id":1,"method":"Runtime.callFunctionOn","params":{"functionDeclaration":"${noise(CDP_BYTES - 100)}"}}`,
  ),
  "CDP, as many values as are read": cdp(
    () =>
      `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1","a":[${emptyObjects(MAX_VALUES * 3)}]}}`,
  ),
  "live view, a long text": live(() => `{"type":"key","text":"${noise(VIEWER_BYTES - 100)}"}`),
  "live view, a list of empty objects": live(() => `[${emptyObjects(VIEWER_BYTES - 100)}]`),
  "channel of the box, line ends": code(
    `for (let i = 0; i < 8; i++) require("fs").writeSync(3, "\\n".repeat(65536)); await new Promise(() => undefined)`,
  ),
  "channel of the box, a list of empty objects": code(
    `for (let i = 0; i < 64; i++) require("fs").writeSync(3, (i ? "" : "[") + "{},".repeat(21845)); await new Promise(() => undefined)`,
  ),
  "result of code": code(`Array(2e6).fill({})`),
  "interpreter, a pattern": code(`await page.waitForURL(/(\\w+)+#$/, { timeout: 5000 })`, "wasm"),
  "interpreter, a pattern of stars": code(
    `await page.waitForURL("**a**a**a**a**a**a**a**a**a**b", { timeout: 5000 })`,
    "wasm",
  ),
  "interpreter, a long argument": code(`await page.evaluate((text) => text.length, "x".repeat(8e6))`, "wasm"),
  "interpreter, a list of empty objects": code(
    `await page.evaluate((list) => list.length, Array(1e6).fill({}))`,
    "wasm",
  ),
  "interpreter, what is printed": code(`for (;;) console.log("x".repeat(1e5))`, "wasm"),
  "model, faults of syntax": model(() => `[${'"a\\n"ba\\n"b'.repeat(REPLY_BYTES / 24)}]`),
  "model, a list of empty objects": model(() => `[${emptyObjects(REPLY_BYTES / 2)}]`),
  "provider, a list of empty objects": provider(() => `[${emptyObjects(BODY_BYTES - 100)}]`),
  "provider, a long text": provider(() => `{"text":"${noise(BODY_BYTES - 100)}"}`),
  "script of a caller, more than it may return": script("Array(2e6).fill({})", 500),
  "script of a caller, as many values as it may return": script("Array(4e4).fill({})", 200),
  "page, as large as pages may be": page(largePage),
  "stored answer, read with a restricted key": storedAnswer(largePage, "restricted key"),
  "stored answer, read by a model": storedAnswer(largePage, "model"),
  "webhook, a document": webhook(() => PARAGRAPH.repeat(BODY_BYTES / PARAGRAPH.length)),
};

/** Lines for servers of the Model Context Protocol, by name. */
export const lines: Readonly<Record<string, () => string>> = {
  "MCP by lines, a list of empty objects": () => filled(`${CALL}"formats":[`, emptyObjects, "]}}}"),
  "MCP by lines, a long text": () => filled(`${CALL}"url":"`, noise, '"}}}'),
  "MCP by lines, as many values as are read": () => `${CALL}"formats":[${emptyObjects(MAX_VALUES * 3)}]}}}`,
};
