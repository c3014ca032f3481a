import { expect, test } from "vitest";

import { textPage, writePdf } from "../../../../test/pdf-writer.ts";
import { useSharedWorld } from "../../../../test/use-world.ts";
import { callerOf } from "../accounts/callers.ts";
import { startJob } from "./request/job.ts";
import { planForAll } from "./request/planned-options.ts";
import { scrapeOptionsSchema } from "./request/schema.ts";
import { type Source, uploadUrl } from "./request/source.ts";
import { runScrape } from "./run.ts";

const world = useSharedWorld();

const { signal } = new AbortController();

async function scrape(url: string, source: Source, options: object = {}) {
  const { services, team } = world.app;
  const planned = planForAll(scrapeOptionsSchema().parse(options), options).for(url);
  const caller = callerOf(team);
  const job = startJob(planned, { caller, linkBase: "", kind: "parse", source });
  const { answer, facts } = await runScrape(job, services, signal);
  return { data: answer.data(facts), record: (await services.records.get(job.id))?.record, job };
}

function upload(name: string, body: Uint8Array, contentType?: string): Source {
  return { kind: "upload", name, contentType, read: async () => body };
}

test("a file that was sent is read by its kind, and tells its name instead of a URL", async () => {
  const pdf = writePdf({ pages: [textPage("Bytes of their own")] });
  const { data, record, job } = await scrape(uploadUrl("report.pdf"), upload("report.pdf", pdf));
  expect(data.markdown).toContain("Bytes of their own");
  const { url, sourceURL, cacheState, ...metadata } = data.metadata;
  expect([url, sourceURL, cacheState]).toEqual([undefined, undefined, undefined]);
  expect(metadata).toMatchObject({ sourceFile: "report.pdf", statusCode: 200, numPages: 1, creditsUsed: 1 });
  expect(record).toMatchObject({ kind: "parse", way: "upload", url: "upload:///report.pdf", creditsUsed: 1 });
  expect(await world.app.services.records.answer(job.id)).toBe(JSON.stringify(data));
});

test("the name tells the kind where neither the bytes nor a type do", async () => {
  const rows = Buffer.from("name,price\nanvil,9\n");
  const { data } = await scrape(uploadUrl("a b.csv"), upload("a b.csv", rows));
  expect(data.markdown).toContain("| anvil | 9 |");
});

test("the same file sent twice is read twice, and neither is kept in the cache", async () => {
  const page = Buffer.from("<h1>First</h1>");
  const other = Buffer.from("<h1>Second</h1>");
  const { data } = await scrape(uploadUrl("page.html"), upload("page.html", page, "text/html"));
  const { data: again } = await scrape(uploadUrl("page.html"), upload("page.html", other, "text/html"));
  expect([data.markdown, again.markdown]).toEqual(["# First", "# Second"]);
});

test("what another service brought of a page is answered under its URL, and nothing is fetched", async () => {
  const url = world.site.page("/given", "<h1>Fetched</h1>");
  const body = Buffer.from('<h1>Given</h1><a href="/next">next</a>');
  const source: Source = { kind: "given", contentType: "text/html", read: async () => body };
  const { data, record } = await scrape(url, source, {
    formats: ["markdown", "links"],
    onlyMainContent: false,
  });
  expect(data).toMatchObject({
    markdown: expect.stringContaining("# Given") as string,
    links: [new URL("/next", url).href],
    metadata: { url, sourceURL: url },
  });
  expect([record?.way, world.site.hits("/given")]).toEqual(["given", []]);
});

test("a source that cannot be read fails the scrape, which costs nothing", async () => {
  const read = () => Promise.reject(new Error("the file is gone"));
  const source: Source = { kind: "upload", name: "gone.pdf", contentType: undefined, read };
  await expect(scrape(uploadUrl("gone.pdf"), source)).rejects.toThrow("the file is gone");
});
