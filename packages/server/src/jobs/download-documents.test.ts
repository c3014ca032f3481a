import { buffer, text } from "node:stream/consumers";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ZipEntries } from "@pergamon-dev/documents/archives/zip-entries";
import { JobChanges } from "./job-changes.ts";
import type { StoredJob } from "./job-store.ts";
import { getJob } from "./job-rows.ts";
import { JobsWorld } from "./service.suite.ts";
import { eachDocument, jsonLines, markdownArchive } from "./download-documents.ts";

const RUN = "run";
const never = new AbortController().signal;

let world: JobsWorld;
/** Ids of documents that were read. */
let read: string[];

beforeEach(async () => {
  world = await JobsWorld.open();
  read = [];
});

afterEach(() => world.close());

function documentOf(name: string, words = name): string {
  return JSON.stringify({ markdown: words, metadata: { sourceURL: `https://a.example/${name}` } });
}

/** A job with these documents. */
async function runWith(documents: ReadonlyMap<string, string>) {
  const { process, dispatcher, start } = await world.openService();
  await start({ id: RUN }, 1);
  await world.database.transaction(async (tx) => {
    for (const scrapeId of documents.keys())
      await new JobChanges().addDocument(tx, RUN, { scrapeId, sizeBytes: 10, creditsUsed: 1 });
  });
  const job = await getJob(world.database, RUN);
  const store = {
    database: process.database,
    dispatcher,
    clock: world.clock,
    isPersistent: true,
    retentionMs: 1,
  };
  const found = { job, store } as unknown as StoredJob;
  const answer = async (id: string) => {
    read.push(id);
    return documents.get(id);
  };
  return { found, records: { answer } };
}

function named(...names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, documentOf(name)]));
}

test("lines of JSON are the documents in their order; one that is lost keeps its line", async () => {
  const documents = new Map([...named("a", "b"), ["lost", ""], ...named("c")]);
  const { found, records } = await runWith(documents);
  const answer = async (id: string) => (id === "lost" ? undefined : records.answer(id));
  const lines = (await text(jsonLines(eachDocument(found, { answer }), never))).trimEnd().split("\n");
  expect(lines[0]).toBe(documentOf("a"));
  expect(lines.map((line) => (JSON.parse(line) as { markdown?: string }).markdown)).toEqual([
    "a",
    "b",
    undefined,
    "c",
  ]);
});

test("the archive has a file for each document with Markdown, and says how many have none", async () => {
  const documents = new Map([
    ...named("a", "docs/"),
    ["html", JSON.stringify({ html: "<p>", metadata: { sourceURL: "https://a.example/html" } })],
    ["again", documentOf("a", "other")],
  ]);
  const { found, records } = await runWith(documents);
  const zip = new ZipEntries(await buffer(await markdownArchive(found, records, never)));
  expect(zip.names()).toEqual([
    "a.example/a.md",
    "a.example/docs/index.md",
    "a.example/a-2.md",
    "left-out.txt",
  ]);
  expect(zip.text("a.example/a.md", 100)).toBe("a");
  expect(zip.text("a.example/a-2.md", 100)).toBe("other");
  expect(zip.text("left-out.txt", 1000)).toMatch(/^1 of 4 documents have no Markdown\./);
});

test("the archive of a job without documents says so", async () => {
  const { found, records } = await runWith(new Map());
  const zip = new ZipEntries(await buffer(await markdownArchive(found, records, never)));
  expect(zip.text("left-out.txt", 100)).toBe("This job has no documents.\n");
  expect(await text(jsonLines(eachDocument(found, records), never))).toBe("");
});

/** Words that do not become shorter. */
function noise(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))).toString("base64");
}

test.each([
  [
    "lines",
    async (...[found, records, signal]: Parameters<typeof markdownArchive>) =>
      jsonLines(eachDocument(found, records), signal),
  ],
  ["archive", markdownArchive],
])("documents are read as fast as the %s is, and no more once it is given up", async (_name, open) => {
  const documents = new Map(
    Array.from({ length: 600 }, (_, number) => [`${number}`, documentOf(`${number}`, noise(65_536))]),
  );
  const { found, records } = await runWith(documents);
  const leaving = new AbortController();
  const stream = await open(found, records, leaving.signal);
  const chunks = stream[Symbol.asyncIterator]();
  await chunks.next();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThan(20);
  leaving.abort();
  await expect(
    (async () => {
      while (!(await chunks.next()).done);
    })(),
  ).rejects.toThrow(/abort/i);
  const seen = read.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read.length).toBe(seen);
});
