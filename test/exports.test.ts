import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";

import { DocumentExport } from "../packages/server/src/jobs/export-documents.ts";
import { openMemoryBlobs } from "../packages/server/src/storage/blobs/memory.ts";
import { openCrawlSite } from "./crawls.ts";
import { RunClient } from "./runs.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld();
const signal = new AbortController().signal;

test.each([
  ["documents", 2],
  ["chunks", 2],
] as const)("the parts of an export have %s as Parquet", async (of, count) => {
  const runs = new RunClient(world);
  const page = (path: string) => world.site.page(path, `<main><h1>Quay</h1><p>Of ${path}.</p></main>`);
  const id = await runs.batch({ urls: [page("/1"), page("/2")] });
  await runs.endedBatch(id);
  const { database, families } = world.app;
  const blobs = openMemoryBlobs();
  const order = { of, as: "parquet" } as const;
  await new DocumentExport({ database, pages: families.jobs.scraping, blobs, order }).write(signal);
  const bytes = new Uint8Array((await blobs.get(`exports/batch-${id}/part-000001`)) ?? []);
  const rows = await parquetReadObjects({ file: bytes.buffer });
  const text = { documents: "markdown", chunks: "text" }[of];
  expect(rows.map((row) => String(row[text]).includes("# Quay"))).toEqual(Array(count).fill(true));
});

test("documents are exported in parts while a crawl runs, each once, and deleted with their team", async () => {
  let mayGoOn = false;
  const site = await openCrawlSite({
    "/": ["/a", "/b", "/c", "/wait"],
    "/a": [],
    "/b": [],
    "/c": [],
    "/wait": (_request, response) => {
      const timer = setInterval(() => {
        if (!mayGoOn) return;
        clearInterval(timer);
        response.end("<main><h1>Late</h1></main>");
      }, 10);
    },
  });
  const { database, team, families } = world.app;
  const blobs = openMemoryBlobs();
  const exports = () =>
    new DocumentExport({ database, pages: families.jobs.scraping, blobs, partDocuments: 2 });
  const runs = new RunClient(world);
  const { body } = await runs.ask("POST /v2/crawl", { url: site.url("/"), maxConcurrency: 2 });
  const path = `/v2/crawl/${body.id}`;
  await expect.poll(async () => (await runs.ask(`GET ${path}`)).body.completed).toBe(4);
  const read = async (name: string) =>
    Buffer.from((await blobs.get(`exports/crawl-${body.id}/${name}`)) ?? "nothing").toString();
  await exports().write(signal);
  const first = await read("part-000001");
  expect(first.trim().split("\n")).toHaveLength(2);
  expect(await read("part-000002")).toContain('"metadata"');
  expect([await read("part-000003"), await read("end")]).toEqual(["nothing", "nothing"]);
  mayGoOn = true;
  await runs.ended(path);
  // Of another process, as after a crash.
  await exports().write(signal);
  await exports().write(signal);
  const lines = [first, await read("part-000002"), await read("part-000003")].join("").trim().split("\n");
  const { data } = (await runs.ask(`GET ${path}`)).body;
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(data);
  expect(JSON.parse(await read("end"))).toMatchObject({ state: "completed", documents: 5, parts: 3 });
  await exports().erase(team.id);
  expect([await read("part-000001"), await read("end")]).toEqual(["nothing", "nothing"]);
  await site.close();
});
