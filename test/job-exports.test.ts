import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

import { Command } from "commander";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { callerOf } from "../packages/server/src/accounts/callers.ts";
import type { Program } from "../packages/server/src/cli/program.ts";
import { addExportCommand } from "../packages/server/src/jobs/command/export.ts";
import { eachDocument } from "../packages/server/src/jobs/download-documents.ts";
import { ExportOrder, exportOf } from "../packages/server/src/jobs/job-exports.ts";
import type { StoredJob } from "../packages/server/src/jobs/job-store.ts";
import { openRunnerOver } from "../packages/server/src/jobs/runner.ts";
import { RunClient } from "./runs.ts";
import { htmlPage, type Site } from "./site.ts";
import { openCrawlSite } from "./crawls.ts";
import { useSharedWorld } from "./use-world.ts";

interface Chunk {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  readonly scrapeId: string;
  readonly span: readonly [number, number];
  readonly headings: readonly string[];
}

const never = new AbortController().signal;
const world = useSharedWorld();
let site: Site;
let runs: RunClient;
let path: string;
const folder = testFolder();

beforeAll(async () => {
  site = await openCrawlSite({
    "/": htmlPage(
      `<main><h1>Elmstad</h1><p>A harbour.</p><h2>Quays</h2><p>${"Ships call every month. ".repeat(40)}</p>
       <a href="/crane">Crane</a> <a href="/salt">Salt</a></main>`,
    ),
    "/crane": htmlPage("<main><h1>Crane</h1><p>It runs on steam.</p></main>"),
    "/salt": htmlPage("<main><h1>Salt</h1><p>It comes by ship.</p></main>"),
  });
  runs = new RunClient(world);
  const { body } = await runs.ask("POST /v2/crawl", {
    url: site.url("/"),
    scrapeOptions: { formats: ["markdown"] },
  });
  path = `/v2/crawl/${body.id}`;
  await runs.ended(path);
});

async function file(query: string): Promise<Buffer> {
  const response = await fetch(`${world.baseUrl}${path}/export?${query}`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const chunksIn = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Chunk);

test("A92 the chunks of a crawl come page by page, and as one file", async () => {
  const { data } = (await runs.ask(`GET ${path}`)).body;
  const found: Chunk[] = [];
  let pages = 0;
  for (
    let next: string | undefined = `${path}/chunks?limit=2&maxTokens=100`;
    next !== undefined;
    pages += 1
  ) {
    const body = (await (await fetch(new URL(next, world.baseUrl))).json()) as {
      data: Chunk[];
      next?: string;
    };
    found.push(...body.data);
    ({ next } = body);
  }
  expect(pages).toBe(2);
  for (const { markdown, metadata } of data) {
    const own = found.filter(({ scrapeId }) => scrapeId === metadata.scrapeId);
    expect(own.map(({ text }) => text).join("")).toBe(markdown);
    expect(own.map(({ span }) => markdown.slice(...span))).toEqual(own.map(({ text }) => text));
  }
  expect(found.length).toBeGreaterThan(4);
  expect(chunksIn(await file("of=chunks&maxTokens=100"))).toEqual(found);
});

test("documents without Markdown are named, and chunks of the format are taken", async () => {
  const urls = [site.url("/salt")];
  const of = async (body: object) => {
    const id = await runs.batch({ urls, ...body });
    await runs.ended(`/v2/batch/scrape/${id}`);
    const { body: answer } = await runs.ask(`GET /v2/batch/scrape/${id}/chunks`);
    return answer as unknown as { data: readonly Chunk[]; leftOut?: readonly string[] };
  };
  expect(await of({ formats: ["links"] })).toMatchObject({ data: [], leftOut: urls });
  const { data } = await of({ formats: ["chunks"] });
  expect(data).toMatchObject([{ url: urls[0], headings: ["Salt"] }]);
});

test.each(["of=chunks&as=warc", "as=csv", "of=pages", "of=chunks&maxTokens=5", "of=chunks&maxTokens=x"])(
  "A92 an export with %s is refused",
  async (query) => {
    expect((await fetch(`${world.baseUrl}${path}/export?${query}`)).status).toBe(400);
  },
);

async function rowsIn(bytes: Buffer) {
  return parquetReadObjects({ file: new Uint8Array(bytes).buffer });
}

test("documents and chunks come as Parquet", async () => {
  const documents = await rowsIn(await file("as=parquet"));
  const { data } = (await runs.ask(`GET ${path}`)).body;
  expect(documents).toMatchObject(
    data.map(({ markdown, metadata: { scrapeId, statusCode } }) => ({ scrapeId, statusCode, markdown })),
  );
  expect(documents.map((row) => JSON.parse(String(row["document"])) as object)).toEqual(data);
  const chunks = await rowsIn(await file("of=chunks&as=parquet&maxTokens=100"));
  const expected = chunksIn(await file("of=chunks&maxTokens=100"));
  expect(chunks).toMatchObject(
    expected.map(({ id, text, headings, span: [start, end] }) => ({ id, text, headings, start, end })),
  );
});

/** Head, and block, of the records of a WARC file. */
function recordsIn(bytes: Buffer): readonly { readonly head: string; readonly block: string }[] {
  const text = gunzipSync(bytes).toString("latin1");
  const records = [];
  for (let at = 0; at < text.length;) {
    const body = text.indexOf("\r\n\r\n", at) + 4;
    const head = text.slice(at, body);
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    records.push({ head, block: text.slice(body, body + length) });
    at = body + length + 4;
    expect(text.slice(body + length, at)).toBe("\r\n\r\n");
  }
  return records;
}

test("pages come as WARC with their answers, of a crawl and of a scrape", async () => {
  const warc = await file("as=warc");
  const records = recordsIn(warc);
  const typeOf = ({ head }: { readonly head: string }) => /WARC-Type: (\w+)/.exec(head)?.[1];
  expect(records.map(typeOf)).toEqual([
    "warcinfo",
    ...Array.from({ length: 3 }, () => ["response", "metadata"]).flat(),
  ]);
  const { data } = (await runs.ask(`GET ${path}`)).body;
  expect(
    records.filter((record) => typeOf(record) === "metadata").map(({ block }) => JSON.parse(block) as object),
  ).toEqual(data);
  expect(records[1]?.block).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n<!doctype html>/i);
  expect(records[1]?.head).toContain(`WARC-Target-URI: ${site.url("/")}\r\n`);
  const { body } = await world.scrape({ url: site.url("/crane") });
  const one = await fetch(`${world.baseUrl}/v2/scrape/${body.data.metadata.scrapeId}/warc`);
  expect(recordsIn(Buffer.from(await one.arrayBuffer())).map(typeOf)).toEqual([
    "warcinfo",
    "response",
    "metadata",
  ]);
  const unstored = await world.scrape({ url: site.url("/crane?2"), storeInCache: false });
  expect(
    (await fetch(`${world.baseUrl}/v2/scrape/${unstored.body.data.metadata.scrapeId}/warc`)).status,
  ).toBe(404);
  await writeFile(join(folder, "crawl.warc.gz"), warc);
  await writeFile(join(folder, "chunks.parquet"), await file("of=chunks&as=parquet"));
});

const READ = `
import sys
from warcio.archiveiterator import ArchiveIterator
import pyarrow.parquet
with open(sys.argv[1] + "/crawl.warc.gz", "rb") as stream:
    for record in ArchiveIterator(stream):
        if record.rec_type == "response":
            print(record.http_headers.get_statuscode(), record.rec_headers.get_header("WARC-Target-URI"), b"<h1>" in record.content_stream().read())
print(pyarrow.parquet.read_table(sys.argv[1] + "/chunks.parquet").num_rows > 2)
`;
const hasReaders = spawnSync("python3", ["-c", "import warcio, pyarrow.parquet"]).status === 0;

test.runIf(hasReaders)("warcio and pyarrow read these files", () => {
  const { stdout } = spawnSync("python3", ["-c", READ, folder], { encoding: "utf8" });
  const pages = ["/", "/crane", "/salt"].map((name) => `200 ${site.url(name)} True`);
  expect(stdout.trimEnd().split("\n").toSorted()).toEqual([...pages, "True"].toSorted());
});

test("what is not kept any more when its turn comes is named in each file", async () => {
  const { stores, scraping } = world.app.families.jobs;
  const found = await stores.find(path.split("/").at(-1) ?? "");
  const { data } = (await runs.ask(`GET ${path}`)).body;
  const [, lost = "", ...others] = data.map(({ metadata }) => metadata.scrapeId);
  const answer = async (id: string) => (id === lost ? undefined : scraping.records.answer(id));
  const records = { answer, get: async () => undefined };
  const exported = (order: object) =>
    buffer(
      exportOf(
        eachDocument(found as StoredJob, records),
        ExportOrder.parse(order),
        { ...scraping, records } as never,
        never,
      ),
    );
  const error = "The document is not kept any more.";
  const lines = (bytes: Buffer) => chunksIn(bytes) as readonly object[];
  expect(lines(await exported({}))[1]).toEqual({ metadata: { scrapeId: lost, error } });
  expect(lines(await exported({ of: "chunks" })).at(-1)).toEqual({ leftOut: [lost] });
  expect((await rowsIn(await exported({ as: "parquet" })))[1]).toMatchObject({
    scrapeId: lost,
    document: expect.stringContaining(error) as string,
  });
  const parquet = new Uint8Array(await exported({ of: "chunks", as: "parquet" })).buffer;
  expect(parquetMetadata(parquet).key_value_metadata).toEqual([
    { key: "leftOut", value: JSON.stringify([lost]) },
  ]);
  const last = recordsIn(await exported({ as: "warc" })).at(-1);
  const { notStoredAnyMore } = JSON.parse(last?.block ?? "") as { notStoredAnyMore: readonly string[] };
  expect(notStoredAnyMore).toHaveLength(others.length + 2);
  expect(notStoredAnyMore[1]).toBe(lost);
});

test.each(["jsonl", "parquet", "warc", "jsonl&of=chunks", "parquet&of=chunks"])(
  "an export as %s that fails on the way is refused, or ends with an error",
  async (as) => {
    const { records } = world.app.families.jobs.scraping;
    const { answer } = records;
    for (const whole of [0, 2]) {
      let count = 0;
      records.answer = async (id) => {
        if ((count += 1) > whole) throw Object.assign(new Error("No space is left."), { code: "ENOSPC" });
        return answer.call(records, id);
      };
      try {
        const response = await fetch(`${world.baseUrl}${path}/export?as=${as}`);
        const { status, headers } = response;
        const refusal = async () => [
          status,
          headers.get("retry-after"),
          headers.get("content-disposition"),
          ((await response.json()) as { readonly code: string }).code,
        ];
        const outcome =
          status === 200
            ? response.arrayBuffer().then(
                () => "whole",
                () => "ended",
              )
            : refusal();
        expect(["ended", [503, "2", null, "OVERLOADED"]]).toContainEqual(await outcome);
      } finally {
        records.answer = answer;
      }
    }
  },
);

test("the command line leaves no part of a file that could not be written to its end", async () => {
  async function* failing() {
    yield Buffer.from("{}\n");
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  }
  const runner = { export: async () => Readable.from(failing()), close: async () => undefined };
  const output = join(folder, "part.jsonl");
  const cli = new Command().exitOverride();
  addExportCommand(cli, () => ({ openRunner: async () => runner }) as unknown as Program);
  const written = cli.parseAsync(["node", "pergamon", "export", "0190a7d5", "-o", output]);
  await expect(written).rejects.toThrow("no space left");
  await expect(readFile(output)).rejects.toThrow("ENOENT");
});

test("the command line writes a job of the service to a file, and replaces none", async () => {
  const { families, team } = world.app;
  const runner = { ...openRunnerOver(families.jobs, callerOf(team)), close: async () => undefined };
  const write = (...words: readonly string[]) => {
    const cli = new Command().exitOverride();
    addExportCommand(cli, () => ({ openRunner: async () => runner }) as unknown as Program);
    return cli.parseAsync(["node", "pergamon", "export", ...words]);
  };
  const output = join(folder, "out.jsonl");
  const id = path.split("/").at(-1) ?? "";
  await write(id, "-o", output, "--of", "chunks", "--max-tokens", "100");
  expect(chunksIn(await readFile(output))).toEqual(chunksIn(await file("of=chunks&maxTokens=100")));
  await expect(write(id, "-o", output)).rejects.toThrow("EEXIST");
  await expect(write("0190a7d5-1c2b-7a3e-8f4d-0123456789ab")).rejects.toThrow("There is no job");
});
