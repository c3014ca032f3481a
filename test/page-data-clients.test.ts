import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";

import { FirecrawlClient, SdkError } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { Branding } from "../packages/server/src/api/branding.ts";
import { MenuAnswer } from "../packages/server/src/api/menu.ts";
import { ProductAnswer } from "../packages/server/src/api/product.ts";
import { changeTracking } from "../packages/server/src/scrape/formats/change-tracking.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { hasPythonClient, PYTHON } from "./installed-clients/clients.ts";
import { pageDataPages, type PageRequest, VOICE } from "./page-data-pages.ts";
import { openWorld, type World } from "./world.ts";

type Data = Readonly<Record<string, unknown>>;

/** What went over the wire between a client and the service. */
interface Recorder {
  readonly url: string;
  readonly answers: readonly { readonly data?: Data; readonly code?: string; readonly error?: string }[];
  close(): void;
}

const run = promisify(execFile);
/** All requests one after the other, on a slow machine. */
const TIMEOUT_MS = 120_000;
/** Prints what the client's own types have of every answer, under the names of the interface. */
const PROGRAM = `
import json, sys
from firecrawl.v2.client import FirecrawlClient
from firecrawl.v2.methods.scrape import scrape
from firecrawl.v2.types import ScrapeOptions
client = FirecrawlClient(api_key="fc-any", api_url=sys.argv[1]).http_client
def told(url, options):
    try:
        document = scrape(client, url, ScrapeOptions(**options))
        return document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    except Exception as error:
        return {"error": str(error)}
print(json.dumps([told(one["url"], one["options"]) for one in json.loads(sys.argv[2])]))
`;

let world: World;
let double: ModelDouble;
let requests: Readonly<Record<string, PageRequest>>;

beforeAll(async () => {
  const { tone, personality } = VOICE;
  const { tone: manner, ...others } = personality;
  const said = { ...tone, ...others, tone: manner };
  double = await startModelDouble("openai", [{ say: { text: JSON.stringify(said) } }]);
  world = await openWorld({ LLM_BASE_URL: double.url, LLM_MODEL: "double" });
  const pages = pageDataPages(world.site);
  // The page that changes has been seen before.
  await world.scrape({ url: pages.changes.url, ...pages.changes.options });
  requests = pages;
});

/** Hands requests on to the service, and notes its answers. */
async function openRecorder(): Promise<Recorder> {
  const answers: Recorder["answers"][number][] = [];
  const server = createServer(async (request, response) => {
    const { status, text } = await hand(request.url ?? "/", await buffer(request));
    answers.push(JSON.parse(text) as Recorder["answers"][number]);
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, answers, close: () => void server.close() };
}

async function hand(path: string, body: Buffer<ArrayBuffer>) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(world.baseUrl + path, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

/** What dishes share with products, and no menu tells. */
const UNTOLD = ["menu.sections.items.availability.text"];
const FIELDS = [
  "product",
  "menu",
  "branding",
  "audio",
  "video",
  "changeTracking",
  "json",
  "markdown",
  "summary",
  "warning",
];

/** The fields of page data that are there. */
function pageData(document: Data): Data {
  return Object.fromEntries(FIELDS.flatMap((name) => (name in document ? [[name, document[name]]] : [])));
}

describe("page data", () => {
  test(
    "of these pages has every field that is declared",
    async () => {
      const answers = await Promise.all(
        Object.values(requests).map(({ url, options }) => world.scrape({ url, ...options })),
      );
      const told = new Set(answers.flatMap(({ body }) => pathsOf(body.data)));
      const shape = z.object({
        product: ProductAnswer,
        menu: MenuAnswer,
        branding: Branding,
        ...changeTracking.answer,
      });
      const declared = pathsOfSchema(z.toJSONSchema(shape, { io: "output" }) as Schema);
      expect(declared.length).toBeGreaterThan(90);
      expect(declared.filter((path) => !told.has(path))).toEqual(UNTOLD);
    },
    TIMEOUT_MS,
  );

  test(
    "is what the official JavaScript client reads",
    async () => {
      const recorder = await openRecorder();
      const client = new FirecrawlClient({ apiUrl: recorder.url, apiKey: "fc-any" });
      const read: Data[] = [];
      for (const { url, options } of Object.values(requests)) {
        const document = await client.scrape(url, options as never).catch((error: unknown) => error);
        read.push(document instanceof SdkError ? { code: document.code } : (document as Data));
      }
      recorder.close();
      expectRead(read, recorder, ({ code }) => ({ code }));
    },
    TIMEOUT_MS,
  );

  test.runIf(hasPythonClient)(
    "is what the official Python client reads",
    async () => {
      const recorder = await openRecorder();
      const { stdout } = await run(PYTHON, [
        "-c",
        PROGRAM,
        recorder.url,
        JSON.stringify(Object.values(requests)),
      ]);
      recorder.close();
      const read = (JSON.parse(stdout) as readonly Data[]).map(named);
      expectRead(read, recorder, ({ error }) => ({ error: expect.stringContaining(error ?? "?") as string }));
    },
    TIMEOUT_MS,
  );
});

/** @param refusal what the client tells of an answer without data */
function expectRead(
  read: readonly Data[],
  { answers }: Recorder,
  refusal: (answer: Recorder["answers"][number]) => object,
): void {
  const names = Object.keys(requests);
  // Hints in a schema pass the client unchanged, and so does citeSources. Python's types leave out citations.
  const hinted = names.indexOf("hinted");
  expect(read[hinted]).toMatchObject({ json: { price: 24.5, stock: "stock", picture: "A blue kettle" } });
  expect(answers[hinted]?.data).toMatchObject({
    citations: { price: [{ text: "24.50", foundBy: "selector" }] },
  });
  expect(answers).toHaveLength(names.length);
  const documents = read.map((document, at) => (answers[at]?.data ? pageData(document) : document));
  const sent = answers.map((answer) => (answer.data ? pageData(answer.data) : refusal(answer)));
  expect(byName(documents)).toEqual(byName(sent));
  expect(names.filter((_, at) => !answers[at]?.data)).toEqual(["refused"]);
}

function byName(values: readonly object[]): object {
  return Object.fromEntries(Object.keys(requests).map((name, at) => [name, values[at]]));
}

/** With the two names that the Python client writes in its own way as the interface has them. */
function named({ change_tracking: changes, branding, ...others }: Data): Data {
  const { color_scheme: colorScheme, ...look } = (branding ?? {}) as Data;
  return {
    ...others,
    ...(changes !== undefined && { changeTracking: changes }),
    ...(branding !== undefined && { branding: { colorScheme, ...look } }),
  };
}

/** `a.b` for members, lists left out of the way. */
function pathsOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, path));
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, join(path, name)))];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function pathsOfSchema({ properties = {}, items }: Schema, path = ""): readonly string[] {
  if (items) return pathsOfSchema(items, path);
  const members = Object.entries(properties);
  return [path, ...members.flatMap(([name, one]) => pathsOfSchema(one, join(path, name)))];
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
