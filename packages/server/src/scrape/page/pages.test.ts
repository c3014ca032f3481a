import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { afterAll, describe, expect, onTestFinished, test } from "vitest";

import { noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import type { PageSource } from "./page.ts";
import { openPageThreads, type PageThreads } from "./threads.ts";
import { computeViews } from "./worker.ts";
import { openPages } from "./pages.ts";

const KILOBYTE = 1024;
const signal = new AbortController().signal;

function pageOf(bytes: number): PageSource {
  const paragraph = "<p>A paragraph that fills the page.</p>\n";
  const html = `<title>Filled</title><main>${paragraph.repeat(Math.ceil(bytes / paragraph.length))}`;
  return {
    capture: {
      requestedUrl: "https://shop.test/",
      url: "https://shop.test/",
      statusCode: 200,
      reason: "OK",
      headers: {},
      contentType: "text/html",
      body: Buffer.from(html).subarray(0, bytes),
      engine: "http",
      proxyUsed: "basic",
      capturedAtMs: 0,
    },
    file: { kind: "html", mimeType: "text/html" },
    options: {
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      removesConsent: true,
      parsers: [],
      languages: [],
      acceptsAnyFile: false,
    },
  };
}

/** Threads that note what they were asked. */
function watchedThreads(hasRoom: boolean): PageThreads & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    hasRoom,
    smallestBytes: 20 * KILOBYTE,
    start: () => void asked.push("start"),
    compute: (task) => {
      asked.push("compute");
      return computeViews(task);
    },
    close: async () => {},
  };
}

const REDACTION = { mode: "fast", replaceStyle: "tag" } as const;

describe("where a page is worked on", () => {
  test.each([
    { size: 10, hasRoom: true, asked: [], where: "here when it is too small for a thread" },
    { size: 30, hasRoom: true, asked: ["compute"], where: "by a thread that has room" },
    { size: 100, hasRoom: false, asked: ["start"], where: "here when it would have to wait" },
    {
      size: 300,
      hasRoom: false,
      asked: ["compute"],
      where: "by a thread when it is large, whatever is ahead of it",
    },
  ])("$size KB: $where", async ({ size, hasRoom, asked }) => {
    const threads = watchedThreads(hasRoom);
    const { page, timings } = openPages(threads).open(pageOf(size * KILOBYTE), signal);
    expect(await page.markdown()).toContain("A paragraph that fills the page.");
    expect(timings.has("parse")).toBe(true);
    expect(threads.asked).toEqual(asked);
  });

  test.each([
    { schema: { type: "string" }, asked: [] },
    { schema: { type: "string", "x-selector": "p" }, asked: ["compute"] },
  ])("of a small page by a thread when the schema has hints: $schema", async ({ schema, asked }) => {
    const threads = watchedThreads(true);
    const { page } = openPages(threads).open(pageOf(10 * KILOBYTE), signal);
    await page.json({ schema }, "https://shop.test/");
    expect(threads.asked).toEqual(asked);
    await page.citations({ value: "A paragraph", foundBy: "model" }, "https://shop.test/");
    expect(threads.asked).toEqual([...asked, "compute"]);
  });
});

test.each<{ size: number; options: Partial<PageSource["options"]>; asked: string[] }>([
  { size: 10, options: {}, asked: [] },
  { size: 300, options: {}, asked: ["compute", "compute"] },
  { size: 300, options: { redaction: REDACTION }, asked: ["compute", "compute", "compute"] },
])("what is made of a document of $size KB with $options: by $asked", async ({ size, options, asked }) => {
  const threads = watchedThreads(true);
  const markdown = "The harbour was opened.\n".repeat((size * KILOBYTE) / 24);
  const documents = {
    ...noDocuments,
    readOffice: async () => ({ markdown, html: undefined, properties: {} }),
  };
  const { options: others, ...source } = pageOf(KILOBYTE);
  const file = { kind: "office", mimeType: "text/csv" };
  const { page } = openPages(threads).open(
    { ...source, file, options: { ...others, ...options } },
    signal,
    documents,
  );
  expect(await page.markdown()).toBe(markdown);
  expect((await page.highlights("harbour"))?.text).toContain("harbour");
  expect(await page.chunksOfText("a b", { maxTokens: 9, most: 1 }, "")).toMatchObject({ chunks: ["a b"] });
  expect(threads.asked).toEqual(asked);
});

describe("threads", () => {
  const failures: unknown[] = [];
  const threads = openPageThreads({ most: 1, onError: (failure) => failures.push(failure) });
  afterAll(() => threads.close());
  const markdown = (source: PageSource, until = signal) =>
    threads.compute({ source, views: [{ view: "markdown", args: [] }] }, until);

  test("have room beside a huge page", async () => {
    threads.start();
    await expect.poll(() => threads.hasRoom, { timeout: 60_000 }).toBe(true);
    const huge = markdown(pageOf(4.5 * KILOBYTE * KILOBYTE));
    const small = markdown(pageOf(KILOBYTE));
    expect((await small).values[0]).toContain("A paragraph");
    expect(threads.hasRoom).toBe(true);
    expect((await huge).values[0]).toContain("A paragraph");
    expect(failures).toEqual([]);
  });

  test("work as this one does", async () => {
    const source = pageOf(100 * KILOBYTE);
    const task = { source, views: ["markdown", "metadata", "links"].map((view) => ({ view, args: [] })) };
    const { values } = await threads.compute(task, signal);
    expect(values).toEqual((await computeViews(task)).values);
    expect(source.capture.body.byteLength).toBe(100 * KILOBYTE);
  });

  test("tell a failure of a page, and go on", async () => {
    const task = { source: pageOf(KILOBYTE), views: [{ view: "no such view", args: [] }] };
    await expect(threads.compute(task, signal)).rejects.toThrow("Unknown view: no such view.");
    expect((await markdown(pageOf(KILOBYTE))).values[0]).toContain("A paragraph");
  });

  test("stop at what is no longer wanted, and go on with what comes next", async () => {
    const abort = new AbortController();
    const given = markdown(pageOf(20 * KILOBYTE * KILOBYTE), abort.signal);
    const next = markdown(pageOf(KILOBYTE));
    setTimeout(() => abort.abort(new Error("Nobody waits.")), 20);
    await expect(given).rejects.toThrow("Nobody waits.");
    expect((await next).values[0]).toContain("A paragraph");
    await expect(markdown(pageOf(KILOBYTE), abort.signal)).rejects.toThrow("Nobody waits.");
  });
});

test("a page thread lets go of the body once it has replied", async () => {
  const program = `const { parentPort } = require("node:worker_threads");
    parentPort.once("message", ({ task: { source } }) =>
      parentPort.on("message", () => parentPort.postMessage(source.capture.body.byteLength)));
    import(${JSON.stringify(new URL("worker-source.mjs", import.meta.url))});`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  for (const reply of [{ kind: "ready" }, KILOBYTE, expect.objectContaining({ kind: "value" }), 0]) {
    expect(await once(worker, "message")).toEqual([reply]);
    worker.postMessage({ name: "computeViews", task: { source: pageOf(KILOBYTE), views: [] } }, []);
  }
});
