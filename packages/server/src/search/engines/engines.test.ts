import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { parseEgressRules } from "../../net/guard/egress-rules.ts";
import { openGuard } from "../../net/guard/guard.ts";
import { openResolver } from "../../net/guard/resolver.ts";
import { ServiceCalls } from "../../net/service-call.ts";
import { engineProblem, openSearchEngine } from "./drivers.ts";
import type { EngineQuery, SearchEngine } from "./search-engine.ts";

const KEY = "key-of-the-engine";

/** What an engine was asked. */
interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A loopback double of an engine: how it is addressed, and how it answers so many results of a kind. */
interface Double {
  readonly name: string;
  readonly address: (origin: string) => string;
  answer(asked: Asked, count: number): unknown;
  /** Parts of what it is asked for a query with everything. */
  readonly everything: (asked: Asked) => unknown;
  readonly expected: unknown;
  readonly lacks: readonly string[];
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const pageUrl = (number: number) => `https://found.test/${number}`;

const doubles: readonly Double[] = [
  {
    name: "searxng",
    address: (origin) => `searxng+${origin}/sub/`,
    answer({ query }, count) {
      const first = (Number(query["pageno"]) - 1) * 10;
      const results = numbers(count)
        .slice(first, first + 10)
        .map((number) => ({
          url: pageUrl(number),
          title: `T${number}`,
          content: `D${number}`,
          publishedDate: "2026-05-01",
          img_src: `https://img.test/${number}.png`,
          resolution: "640 x 480",
        }));
      return { results };
    },
    everything: ({ path, query }) => ({ path, ...query }),
    expected: {
      path: "/sub/search",
      q: "anvil (site:a.test OR site:b.test) filetype:pdf",
      format: "json",
      language: "de-AT",
      time_range: "week",
      safesearch: "2",
    },
    lacks: ["location"],
  },
  {
    name: "brave",
    address: () => `brave://${KEY}@`,
    answer({ path, query }, count) {
      const size = Number(query["count"]);
      const first = Number(query["offset"] ?? 0) * size;
      const results = numbers(count)
        .slice(first, first + size)
        .map((number) => ({
          url: pageUrl(number),
          title: `T${number}`,
          description: `D${number}`,
          page_age: "2026-05-01",
          thumbnail: { src: `https://img.test/${number}.png` },
          properties: { url: `https://img.test/${number}.png`, width: 640, height: 480 },
        }));
      return path.includes("/web/") ? { web: { results } } : { results };
    },
    everything: ({ path, query, headers }) => ({ path, ...query, key: headers["x-subscription-token"] }),
    expected: {
      path: "/res/v1/web/search",
      q: "anvil (site:a.test OR site:b.test) filetype:pdf",
      search_lang: "de",
      country: "AT",
      freshness: "pw",
      safesearch: "strict",
      key: KEY,
    },
    lacks: ["location"],
  },
  {
    name: "serper",
    address: () => `serper://${KEY}@`,
    answer({ path, body }, count) {
      const results = numbers(Math.min(count, Number(body["num"]))).map((number) => ({
        link: pageUrl(number),
        title: `T${number}`,
        snippet: `D${number}`,
        date: "2026-05-01",
        imageUrl: `https://img.test/${number}.png`,
        imageWidth: 640,
        imageHeight: 480,
      }));
      return { [path === "/search" ? "organic" : path.slice(1)]: results };
    },
    everything: ({ path, body, headers }) => ({ path, ...body, key: headers["x-api-key"] }),
    expected: {
      path: "/search",
      q: "anvil (site:a.test OR site:b.test) filetype:pdf",
      hl: "de",
      gl: "at",
      location: "Vienna",
      tbs: "qdr:w",
      key: KEY,
    },
    lacks: ["safe"],
  },
  {
    name: "tavily",
    address: () => `tavily://${KEY}@`,
    answer({ body }, count) {
      const found = numbers(Math.min(count, Number(body["max_results"])));
      return {
        results: found.map((number) => ({
          url: pageUrl(number),
          title: `T${number}`,
          content: `D${number}`,
          published_date: "2026-05-01",
        })),
        images: found.map((number) => ({ url: `https://img.test/${number}.png`, description: `T${number}` })),
      };
    },
    everything: ({ path, body, headers }) => ({ path, ...body, key: headers.authorization }),
    expected: {
      path: "/search",
      query: "anvil",
      include_domains: ["a.test", "b.test"],
      time_range: "week",
      country: "austria",
      key: `Bearer ${KEY}`,
    },
    lacks: ["categories", "lang", "location", "safe"],
  },
  {
    name: "google-cse",
    address: () => `google-cse://${KEY}@Engine0`,
    answer({ query }, count) {
      const first = Number(query["start"]) - 1;
      const items = numbers(count)
        .slice(first, first + Number(query["num"]))
        .map((number) =>
          query["searchType"] === "image"
            ? {
                link: `https://img.test/${number}.png`,
                title: `T${number}`,
                image: { contextLink: pageUrl(number), width: 640, height: 480 },
              }
            : { link: pageUrl(number), title: `T${number}`, snippet: `D${number}` },
        );
      return { items };
    },
    everything: ({ path, query }) => ({ path, ...query }),
    expected: {
      path: "/customsearch/v1",
      key: KEY,
      cx: "Engine0",
      q: "anvil (site:a.test OR site:b.test) filetype:pdf",
      hl: "de",
      gl: "at",
      dateRestrict: "w1",
      safe: "active",
    },
    lacks: ["location"],
  },
];

const PLAIN: EngineQuery = {
  kind: "web",
  words: "anvil",
  limit: 10,
  includeDomains: [],
  excludeDomains: [],
  anyOf: [],
  period: undefined,
  language: undefined,
  country: undefined,
  location: undefined,
  safe: undefined,
  sortsByDate: false,
};
const EVERYTHING: EngineQuery = {
  ...PLAIN,
  includeDomains: ["a.test", "b.test"],
  anyOf: ["filetype:pdf"],
  period: { since: "week" },
  language: "de",
  country: "AT",
  location: "Vienna",
  safe: true,
};

let origin: string;
let answer: (asked: Asked, response: ServerResponse) => unknown;
let asked: Asked[] = [];
const thread = new ForeignThread();
let calls: ServiceCalls;
const never = new AbortController().signal;

const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://engine.test");
  const question: Asked = {
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: body === "" ? {} : (JSON.parse(body) as Asked["body"]),
  };
  asked.push(question);
  const said = answer(question, response);
  if (said !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(said));
}

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  calls = new ServiceCalls(
    openGuard({ rules: parseEgressRules([new URL(origin).host]), resolver: openResolver({ servers: [] }) }),
  );
});

afterEach(() => {
  asked = [];
});

afterAll(async () => {
  await calls.close();
  await thread.close();
  server.closeAllConnections();
  server.close();
});

describe.each(doubles)("$name", (double) => {
  const open = (): SearchEngine =>
    openSearchEngine(double.address(origin), undefined, { call: calls.call.bind(calls), thread, origin });

  test.each([1, 10, 35])("gives as many results as are wanted, in order: %i", async (limit) => {
    answer = (question) => double.answer(question, 100);
    const results = await open().search({ ...PLAIN, limit }, never);
    const most = double.name === "tavily" ? Math.min(limit, 20) : limit;
    expect(results.map(({ url }) => url)).toEqual(numbers(most).map(pageUrl));
    expect(results[0]).toMatchObject({ title: "T1", description: "D1" });
  });

  test("ends where there are no more", async () => {
    answer = (question) => double.answer(question, 3);
    expect(await open().search({ ...PLAIN, limit: 100 }, never)).toHaveLength(3);
    expect(asked.length).toBeLessThanOrEqual(2);
    answer = (question) => double.answer(question, 0);
    expect(await open().search(PLAIN, never)).toEqual([]);
  });

  test("is asked for all that it knows, and says what it does not", async () => {
    answer = (question) => double.answer(question, 1);
    const engine = open();
    await engine.search(EVERYTHING, never);
    expect(double.everything(asked[0] as Asked)).toMatchObject(double.expected as object);
    expect(engine.lacks(EVERYTHING)).toEqual(double.lacks);
    expect(engine.lacks(PLAIN)).toEqual([]);
  });

  test("finds pictures", async () => {
    answer = (question) => double.answer(question, 2);
    const [first] = await open().search({ ...PLAIN, kind: "images" }, never);
    expect(first).toMatchObject({ title: "T1", imageUrl: "https://img.test/1.png" });
  });

  test.skipIf(double.name === "google-cse")("finds news", async () => {
    answer = (question) => double.answer(question, 2);
    const [first] = await open().search({ ...PLAIN, kind: "news" }, never);
    expect(first).toMatchObject({ url: pageUrl(1), title: "T1", date: "2026-05-01" });
  });

  test.each<[string, typeof answer]>([
    ["refuses", (_asked, response) => void response.writeHead(401).end(`{"error":"bad key ${KEY}"}`)],
    ["breaks", (_asked, response) => void response.writeHead(500).end()],
    ["answers HTML", (_asked, response) => void response.end("<!doctype html><h1>Sorry</h1>")],
    ["answers something else", () => ({ results: "x", organic: 1, items: 2, web: 3 })],
    ["answers null", () => null],
    ["answers without an end", (_asked, response) => pour(response)],
    ["hangs up", (_asked, response) => void response.destroy()],
    [
      "leads to a private address",
      (_asked, response) => void response.writeHead(302, { location: "http://127.0.0.2:9/" }).end(),
    ],
  ])("that %s has failed, and its key stays secret", async (_what, said) => {
    answer = said;
    const failure = await open()
      .search(PLAIN, never)
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: "SearchEngineError" });
    expect((failure as Error).message).toContain(double.name);
    expect((failure as Error).message).not.toContain(KEY);
    expect((failure as Error).cause).toBeUndefined();
  });

  test("that is silent is waited for as long as the caller does", async () => {
    const gone = new AbortController();
    answer = () => gone.abort(new Error("gone"));
    await expect(open().search(PLAIN, gone.signal)).rejects.toThrow("gone");
  });
});

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, " ");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    response.once("drain", more);
  };
  more();
}

describe("an address", () => {
  test.each([
    ["searxng+http://127.0.0.1:8888", undefined],
    ["searxng+https://search.test/sub", undefined],
    ["brave://abc@", undefined],
    ["google-cse://abc@0123%3Axyz", undefined],
  ])("of an engine is taken: %s", (address, problem) => {
    expect(engineProblem(address, undefined)).toBe(problem);
  });

  test.each([
    "",
    "x",
    "https://search.test",
    "brave",
    "brave://",
    "serper://@",
    "google-cse://abc@",
    "searxng+http://",
    "searxng://a.test",
  ])("that is none is told without being quoted: %s", (address) => {
    const problem = engineProblem(address, undefined);
    expect(problem).toMatch(/: use /);
    expect(problem).not.toContain("abc");
  });

  test("may leave its key to SEARCH_KEY", () => {
    expect(engineProblem("brave://", "key")).toBeUndefined();
    expect(engineProblem("google-cse://ENGINE", "key")).toBeUndefined();
  });
});
