import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Command } from "commander";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { callerOf } from "../packages/server/src/accounts/callers.ts";
import { crawl } from "../packages/server/src/crawl/crawl.ts";
import { openRunnerOver } from "../packages/server/src/jobs/runner.ts";
import { addBatchCommand } from "../packages/server/src/batch/command.ts";
import { addCrawlCommand } from "../packages/server/src/crawl/command.ts";
import type { Program, Runner } from "../packages/server/src/cli/program.ts";
import { openCrawlSite } from "./crawls.ts";
import { RunClient, type RunDocument } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

/** With a server beside, on the same data. */
const world = useSharedWorld();
let runner: Runner;
const folder = testFolder();
let printed = "";
let told = "";

beforeAll(async () => {
  const { families, team } = world.app;
  runner = {
    ...openRunnerOver(families.jobs, callerOf(team)),
    openFile: () => Promise.reject(new Error("There is no file.")),
    close: async () => undefined,
  };
});

afterEach(() => {
  process.exitCode = 0;
  [printed, told] = ["", ""];
});

/** `pergamon batch …` in this process. */
function batch(...parameters: readonly string[]): Promise<void> {
  return run("batch", ...parameters);
}

async function run(...parameters: readonly string[]): Promise<void> {
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told += String(text);
    return true;
  });
  const cli = new Command().exitOverride();
  for (const add of [addBatchCommand, addCrawlCommand])
    add(cli, () => ({ openRunner: async () => runner }) as unknown as Program);
  try {
    await cli.parseAsync([...parameters], { from: "user" });
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

async function listOf(name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, lines.join("\n"));
  return file;
}

function page(path: string): string {
  return world.site.page(path, htmlPage(`<main><h1>${path}</h1></main>`));
}

const documents = () =>
  printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RunDocument);

async function indexIn(output: string): Promise<readonly { readonly url?: string }[]> {
  const lines = (await readFile(join(output, "index.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as { readonly url?: string });
}

test("pages of a file are printed as lines of JSON, and what is no URL is told", async () => {
  const file = await listOf("list", [
    "# pages",
    page("/a"),
    "",
    page("/b"),
    "ftp://c.test",
    "http://127.0.0.1:1/",
  ]);
  await batch(file);
  expect(new Set(documents().map(({ markdown }) => markdown))).toEqual(new Set(["# /a", "# /b"]));
  expect(told).toContain("Left out, as it cannot be scraped: ftp://c.test");
  expect(told).toMatch(/http:\/\/127\.0\.0\.1:1\/: \S+/);
  expect(told).toContain("2 pages, 1 failed, 2 credits, completed.");
  expect(process.exitCode).toBe(1);
});

test("a crawl whose start is refused says why, and pages that robots.txt forbids are named", async () => {
  const site = await openCrawlSite({
    "/": ["/shut", "/missing"],
    "/robots.txt": (_request, response) => response.end("User-agent: *\nDisallow: /shut"),
  });
  try {
    await run("crawl", site.url("/"), "--include-paths", "^/blog");
    expect(told).toContain("The start does not fit includePaths and excludePaths");
    expect(process.exitCode).toBe(1);
    [printed, told] = ["", ""];
    const output = join(folder, "with-errors");
    await run("crawl", site.url("/"), "--sitemap", "skip", "-o", output);
    expect(told).toContain(`${site.url("/shut")}: robots.txt forbids the visit.`);
    expect(told).toContain("1 page answered with an error (404: 1) and got no file.");
    expect(await readdir(output)).toEqual(["index.jsonl", "index.md"]);
    const without = (await indexIn(output)).filter((line) => !("file" in line));
    expect(without).toHaveLength(2);
    expect(without).toContainEqual({ url: site.url("/shut"), error: "robots.txt forbids the visit." });
    expect(without).toContainEqual(
      expect.objectContaining({ url: site.url("/missing"), statusCode: 404 }) as object,
    );
  } finally {
    await site.close();
  }
});

test("pages go into files of a folder", async () => {
  const gone = "http://127.0.0.1:1/";
  const file = await listOf("few", [page("/c"), page("/d/e"), world.site.url("/missing"), gone]);
  const output = join(folder, "pages");
  await batch(file, "-o", output, "-f", "markdown");
  const names = (await readdir(output, { recursive: true })).toSorted();
  expect(names).toEqual(["c.md", "d", "d/e.md", "index.jsonl"]);
  expect(await readFile(join(output, "d/e.md"), "utf8")).toBe("# /d/e\n");
  expect(printed).toBe("");
  const index = new Map((await indexIn(output)).map(({ url, ...line }) => [url, line]));
  expect(index.get(page("/c"))).toMatchObject({ statusCode: 200, file: "c.md" });
  expect(index.get(world.site.url("/missing"))).not.toHaveProperty("file");
  expect(index.get(gone)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  expect(index.size).toBe(4);
});

test("a batch that is interrupted goes on where it was, and a server beside leaves it alone", async () => {
  let mayAnswer = false;
  const waiting = Array.from({ length: 3 }, (_, index) =>
    world.site.page(`/waiting/${index}`, (_request, response) => {
      if (mayAnswer) response.end(htmlPage("<main><h1>Here</h1></main>"));
    }),
  );
  const file = await listOf("waiting", [page("/e"), ...waiting]);
  const running = batch(file);
  await expect.poll(() => printed).toContain("# /e");
  // The newest listener alone: other test files of this process may have theirs.
  process.listeners("SIGINT").at(-1)?.("SIGINT");
  await running;
  expect(process.exitCode).toBe(130);
  const [, id = ""] = /--resume (\S+)/.exec(told) ?? [];
  mayAnswer = true;
  const before = world.site.hits("/waiting/0").length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(world.site.hits("/waiting/0")).toHaveLength(before);
  printed = "";
  await batch("--resume", id);
  expect(documents()).toHaveLength(4);
  expect(told).toContain("4 pages, 4 credits, completed.");
  await expect(batch("--cancel", id)).rejects.toThrow("is completed already");
});

test("a batch of the service is left to the service", async () => {
  const runs = new RunClient(world);
  const id = await runs.batch({ urls: [page("/f")] });
  await expect(batch("--resume", id)).rejects.toThrow("belongs to the service");
  expect((await runs.endedBatch(id)).completed).toBe(1);
});

test.each([[[]], [["file", "--resume", "x"]], [["--resume", "x", "--cancel", "x"]]])(
  "%j is refused",
  async (parameters) => {
    await expect(batch(...parameters)).rejects.toThrow("Name a file with URLs");
  },
);

test("pergamon crawl writes Markdown by path, and goes on where it was interrupted", async () => {
  const site = await openCrawlSite({
    "/": ["/docs/", "/about"],
    "/docs/": ["/docs/one"],
    "/docs/one": [],
    "/about": [],
  });
  try {
    const output = join(folder, "crawled");
    const { id } = await runner.start(crawl, { url: site.url("/"), sitemap: "skip" });
    // Nobody has worked on it: neither this process nor the service beside.
    expect(site.hits("/")).toHaveLength(0);
    await run("crawl", "--resume", id, "-o", output);
    const found = await readdir(output, { recursive: true });
    expect(found.toSorted()).toEqual(
      ["about.md", "docs", "docs/index.md", "docs/one.md", "index.jsonl", "index.md"].toSorted(),
    );
    expect(await readFile(join(output, "docs/one.md"), "utf8")).toContain("# Page /docs/one");
    expect(told).toContain("4 pages, 4 credits, completed.");
    const first = ["crawl", site.url("/docs/"), "--sitemap", "skip", "--limit", "1", "-f", "html,links"];
    await run(...first);
    expect(JSON.parse(printed)).toMatchObject({ links: [site.url("/docs/one")], html: expect.anything() });
    await run(...first, "-o", join(folder, "formats"));
    expect(await readdir(join(folder, "formats/docs"))).toEqual(["index.json"]);
  } finally {
    await site.close();
  }
});
