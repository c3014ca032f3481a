import { describe, expect, test } from "vitest";

import type { PageSource } from "./page.ts";
import { type PageTables, pageTables } from "./compute.ts";
import { type OpenedPage, openPagesBy } from "./pages.ts";
import type { PageThreads } from "./threads.ts";
import { views, type ViewRequest } from "./views.ts";
import { computeViews } from "./worker.ts";

const signal = new AbortController().signal;
const WORDS = "<title>Words</title><main><h1>One two</h1><p>three four <a href=/five>five</a></p></main>";

/** A view that is used nowhere else: one entry, as a new one would be. */
const wordCounting = {
  ...views,
  wordCount: (parts: { markdown(): string }, minimum: number) =>
    parts
      .markdown()
      .split(/\s+/)
      .filter(({ length }) => length >= minimum).length,
};

const tables = { ...pageTables, views: wordCounting };

/** A page of these words, and spaces up to a size. */
function sourceOf(html: string, sizeBytes = 0): PageSource {
  return {
    capture: {
      requestedUrl: "https://shop.test/",
      url: "https://shop.test/",
      statusCode: 200,
      reason: "OK",
      headers: {},
      contentType: "text/html",
      body: Buffer.from(html.padEnd(sizeBytes)),
      engine: "http",
      proxyUsed: "basic",
      capturedAtMs: 0,
    },
    file: { kind: "html", mimeType: "text/html" },
    options: {
      onlyMainContent: false,
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

/** Threads that do their work here, with the same table, and note what arrived together. */
function localThreads(by: PageTables): PageThreads & { readonly batches: (readonly ViewRequest[])[] } {
  const batches: (readonly ViewRequest[])[] = [];
  return {
    batches,
    hasRoom: true,
    smallestBytes: 64 * 1024,
    start: () => undefined,
    async compute(task) {
      // What goes to a thread is copied.
      const copy = structuredClone(task);
      batches.push(copy.views);
      return structuredClone(await computeViews(copy, by));
    },
    close: async () => undefined,
  };
}

type Opened = OpenedPage<typeof wordCounting> & { readonly batches: (readonly ViewRequest[])[] };

function open(source: PageSource): Opened {
  const threads = localThreads(tables);
  return {
    ...openPagesBy({ ...tables, load: async () => tables }, threads).open(source, signal),
    batches: threads.batches,
  };
}

describe.each([
  { where: "here", source: sourceOf(WORDS) },
  { where: "on a thread", source: sourceOf(WORDS, 80 * 1024) },
])("a view that one entry of the table adds, computed $where", ({ where, source }) => {
  test("is there with its arguments, beside all others", async () => {
    const { page, batches } = open(source);
    expect(await page.wordCount(4)).toBe(3);
    expect(await page.wordCount(5)).toBe(2);
    expect(await page.links()).toEqual(["https://shop.test/five"]);
    expect(batches.length > 0).toBe(where === "on a thread");
  });

  test("is timed under its name, as are the parts it is made from", async () => {
    const { page, timings } = open(source);
    await page.wordCount(1);
    expect([...timings.keys()].sort()).toEqual(["decode", "parse", "select", "wordCount"]);
  });

  test("fails alone when it fails", async () => {
    const failing = {
      ...pageTables,
      views: { ...views, wordCount: () => Promise.reject(new Error("No words.")) },
    };
    const { page } = openPagesBy({ ...failing, load: async () => failing }, localThreads(failing)).open(
      source,
      signal,
    );
    await expect(page.wordCount()).rejects.toThrow("No words.");
    expect(await page.markdown()).toContain("One two");
  });
});

describe("views", () => {
  test("that are asked for in one turn travel together, each once", async () => {
    const { page, batches } = open(sourceOf(WORDS, 80 * 1024));
    const [first, again] = await Promise.all([page.markdown(), page.markdown(), page.links()]);
    expect(again).toBe(first);
    expect(await page.markdown()).toBe(first);
    await page.metadata();
    expect(batches.map((batch) => batch.map(({ view }) => view))).toEqual([
      ["markdown", "links"],
      ["metadata"],
    ]);
  });

  test("are computed once, also here", async () => {
    let computed = 0;
    const counting = { ...pageTables, views: { ...views, counted: () => (computed += 1) } };
    const { page } = openPagesBy({ ...counting, load: async () => counting }, localThreads(counting)).open(
      sourceOf(WORDS),
      signal,
    );
    expect(await Promise.all([page.counted(), page.counted()])).toEqual([1, 1]);
    expect(await page.counted()).toBe(1);
  });

  test("of different arguments are different views", async () => {
    const { page } = open(sourceOf('<p id=a title="T">'));
    const titles = await page.attributes([{ selector: "p", attribute: "title" }]);
    const ids = await page.attributes([{ selector: "p", attribute: "id" }]);
    expect([titles[0]?.values, ids[0]?.values]).toEqual([["T"], ["a"]]);
  });

  test("that no table names cannot be asked for", async () => {
    const task = { source: sourceOf(WORDS), views: [{ view: "wordCount", args: [1] }] };
    await expect(computeViews(task)).rejects.toThrow("Unknown view: wordCount.");
  });
});
