import { describe, expect, test } from "vitest";

import { openPages } from "../page/pages.ts";
import { openPageThreads } from "../page/threads.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";
import type { Capture } from "../../fetch/capture.ts";
import { planScrape } from "../request/plan.ts";
import { captureOf, formatServices, requestFor } from "../scrape.suite.ts";
import { produceFormats, refuseUnreadable } from "./produce.ts";

const HTML = `<html><head><title>Shop</title></head><body><main>
  <h1 id="top">Shop</h1><p>All about the shop that this page is of, told at some length.</p>
  <a href="/a">A</a><img src="/i.png"></main></body></html>`;

const png: FileContent = { bytes: Buffer.from("image"), contentType: "image/png" };
const pdf: FileContent = { bytes: Buffer.from("paper"), contentType: "application/pdf" };
const signal = new AbortController().signal;
// Small pages never start a thread.
const pages = openPages(openPageThreads({ most: 1, onError: () => {} }));

async function produce(options: object, changes: Partial<Capture> = {}, warnings: readonly string[] = []) {
  const { page: pageOptions, formats } = planScrape(requestFor(options));
  const file = { kind: "html", mimeType: "text/html" } as const;
  const { page } = pages.open({ capture: captureOf(HTML, changes), file, options: pageOptions }, signal);
  const linked: FileContent[] = [];
  const link = async (content: FileContent) => `http://here/${linked.push(content)}`;
  const reading = { captureId: undefined, name: "usual", again: async () => undefined };
  const outside = { ...formatServices, teamId: "team", link, model: undefined, reading, signal };
  const wanted = { formats, warnings, matter: "html", options: pageOptions } as const;
  const made = await produceFormats(page, wanted, outside);
  return { ...made, linked };
}

describe("what is wanted", () => {
  test("is there, and nothing else", async () => {
    const formats = [
      "markdown",
      "html",
      "rawHtml",
      "links",
      "images",
      { type: "attributes", selectors: [{ selector: "h1", attribute: "id" }] },
    ];
    const { fields, pageMetadata } = await produce({ formats });
    expect(Object.keys(fields)).toEqual(["markdown", "html", "rawHtml", "links", "images", "attributes"]);
    expect(fields).toMatchObject({
      rawHtml: HTML,
      links: ["http://site.test/a"],
      images: ["http://site.test/i.png"],
      attributes: [{ selector: "h1", attribute: "id", values: ["top"] }],
    });
    expect(fields.markdown).toMatch(/^# Shop\n\nAll about the shop/);
    expect(fields.html).not.toContain("<title>");
    expect(pageMetadata).toMatchObject({ title: "Shop" });
  });

  test("may be nothing but metadata", async () => {
    const { fields, pageMetadata } = await produce({ formats: [] });
    expect(fields).toEqual({});
    expect(pageMetadata).toMatchObject({ title: "Shop" });
  });

  test("are the bytes as they came", async () => {
    const body = Buffer.from([0, 255, 1, 254]);
    const inside = body.subarray(1, 3);
    const { fields } = await produce({ formats: ["rawBase64"] }, { body: inside });
    expect(fields).toEqual({ rawBase64: inside.toString("base64") });
  });
});

describe("an answer", () => {
  test.each<readonly [string, object, Partial<Capture>, boolean]>([
    ["that has everything", { formats: ["markdown", "links"] }, {}, false],
    ["of rules where no model is", { formats: ["summary"] }, {}, false],
    ["without what the engine lacks", { formats: ["screenshot", "links"] }, { lacks: ["screenshot"] }, true],
    ["without a format", { formats: ["markdown", "product"] }, {}, true],
    ["with a cut image", { formats: ["screenshot"] }, { screenshot: png, isScreenshotCut: true }, true],
  ])("%s says so", async (_name, options, changes, isPartial) => {
    const made = await produce(options, changes);
    expect(made.isPartial).toBe(isPartial);
    expect(made.warnings.join(" ")).toBe(made.fields.warning ?? "");
  });
});

describe("an image", () => {
  test("is kept, and linked to", async () => {
    const { fields, linked } = await produce({ formats: ["screenshot"] }, { screenshot: png });
    expect(fields).toEqual({ screenshot: "http://here/1" });
    expect(linked).toEqual([png]);
  });

  test("that is cut says so", async () => {
    const { fields } = await produce({ formats: ["screenshot"] }, { screenshot: png, isScreenshotCut: true });
    expect(fields.warning).toBe(
      "The page is too tall for one image, so the screenshot ends before the page does.",
    );
  });

  test("that the engine could not take is not there, and the answer says so", async () => {
    const { fields } = await produce({ formats: ["screenshot", "links"] }, { lacks: ["screenshot"] });
    expect(fields).not.toHaveProperty("screenshot");
    expect(fields.warning).toBe(
      "The engine used does not support the following features: screenshot -- your scrape may be partial.",
    );
  });

  test("that was taken along with the page is not given to who did not ask", async () => {
    const { fields, linked } = await produce({ formats: ["links"] }, { screenshot: png });
    expect(Object.keys(fields)).toEqual(["links"]);
    expect(linked).toEqual([]);
  });
});

test("warnings are one text, what the formats say before what was known", async () => {
  const capture = { screenshot: png, isScreenshotCut: true, lacks: ["actions"] };
  const { fields } = await produce({ formats: ["screenshot"] }, capture, ["Left out."]);
  expect(fields.warning?.match(/^The page is too tall|The engine used|Left out\.$/g)).toEqual([
    "The page is too tall",
    "The engine used",
    "Left out.",
  ]);
});

describe("actions", () => {
  const nothing = {
    screenshots: [],
    scrapes: [],
    javascriptReturns: [],
    pdfs: [],
    pages: ["http://site.test/"],
  };

  test("that left nothing are in the answer, too", async () => {
    const { fields } = await produce({ formats: ["links"] }, { actions: nothing });
    expect(fields.actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] });
  });

  test("that left something have all four lists, files as links", async () => {
    const left = { ...nothing, screenshots: [png, png], pdfs: [pdf], scrapes: [{ url: "u", html: "<p>" }] };
    const { fields, linked } = await produce({ formats: [] }, { actions: left });
    expect(fields.actions?.screenshots).toHaveLength(2);
    expect(fields.actions).toMatchObject({
      scrapes: [{ url: "u", html: "<p>" }],
      javascriptReturns: [],
      pdfs: [expect.stringMatching(/^http:\/\/here\/\d$/)],
    });
    expect(linked).toHaveLength(3);
  });
});

describe("a file of a kind", () => {
  const refusal = (kind: string, options: object) => () =>
    refuseUnreadable({ kind, mimeType: "x/y" }, planScrape(requestFor(options)).page);
  const unsupported = expect.objectContaining({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" }) as object;

  test.each<readonly [string, object, object]>([
    ["unsupported", {}, unsupported],
    ["unsupported", { parsers: [] }, unsupported],
    ["image", { parsers: ["pdf"] }, unsupported],
  ])("%s is refused with %j", (kind, options, failure) => {
    expect(refusal(kind, options)).toThrow(failure);
    expect(refusal(kind, { ...options, formats: ["rawBase64"] })).not.toThrow();
  });

  test.each<readonly [string, object]>([
    ["html", {}],
    ["text", { parsers: [] }],
    ["pdf", {}],
    ["pdf", { parsers: [] }],
    ["pdf", { parsers: ["image"] }],
    ["image", {}],
    ["image", { parsers: [] }],
    ["office", {}],
    ["office", { parsers: [] }],
  ])("%s is read with %j", (kind, options) => {
    expect(refusal(kind, options)).not.toThrow();
  });
});

test("branding of a page that no browser showed is refused, with the remedy", async () => {
  await expect(produce({ formats: ["branding"] })).rejects.toMatchObject({
    code: "SCRAPE_BRANDING_NOT_SUPPORTED",
    message: expect.stringContaining("pergamon doctor") as string,
  });
});
