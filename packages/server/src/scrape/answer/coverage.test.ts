import { describe, expect, test } from "vitest";

import type { DocumentTools } from "../../fetch/file-kinds/document-tools.ts";
import { openPages } from "../page/pages.ts";
import { openPageThreads } from "../page/threads.ts";
import type { Files } from "../../files/files.ts";
import type { Capture } from "../../fetch/capture.ts";
import * as formats from "../formats/all.ts";
import { type Coverage, matters, type Matter, optionCoverage, type ways } from "../formats/coverage.ts";
import type { Format } from "../formats/format.ts";
import { planScrape } from "../request/plan.ts";
import { reduceRequest } from "../request/retention.ts";
import { captureOf, formatServices, requestFor } from "../scrape.suite.ts";
import { openAnswers } from "./answers.ts";

const MARKDOWN = "# Report\n\nThe report tells at some length what was sold in the spring.";
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
  <item><title>One</title><link>http://site.test/1</link><description>Text</description></item></channel></rss>`;

/** What is visited → its bytes, the type that servers name, and what the request has to say about it. */
const FILES: Readonly<Record<Matter, readonly [body: string, contentType: string, options?: object]>> = {
  html: ["<main><h1>Shop</h1><p>All about the shop, told at some length.</p></main>", "text/html"],
  feed: [FEED, "application/rss+xml"],
  text: ["Plain text of a note.", "text/plain"],
  pdf: ["%PDF-1.7", "application/pdf"],
  image: ["\u0089PNG\r\n\u001a\n", "image/png"],
  office: ["name,price\ntea,3\n", "text/csv"],
  undecoded: ["%PDF-1.7", "application/pdf", { parsers: [] }],
};

/** Options as requests send them, where the table has something to say of them. */
const SAMPLES = new Map<string, unknown>(
  Object.entries({
    headers: { a: "b" },
    waitFor: 1000,
    mobile: true,
    profile: { name: "x", saveChanges: false },
    actions: [{ type: "scrape" }],
    includeTags: ["p"],
    excludeTags: ["b"],
    onlyCleanContent: true,
    redactPII: true,
  }),
);

const page = { html: "", blocks: [], totalPages: 1, metadata: {} };
const documents = {
  readPdf: async () => ({ ...page, markdown: MARKDOWN, pages: [{ pageNumber: 1, markdown: MARKDOWN }] }),
  readOffice: async () => ({ markdown: MARKDOWN, html: "<p>x</p>", properties: {} }),
  readPicture: async () => ({ markdown: MARKDOWN }),
} satisfies DocumentTools;
const signal = new AbortController().signal;
const answers = openAnswers({
  records: { answerMadeFrom: async () => undefined },
  pages: openPages(openPageThreads({ most: 1, onError: () => {} })),
  files: { link: async () => "/file" } as unknown as Files,
  captures: { load: async () => undefined },
  ...formatServices,
});

/** Makes an answer of such a file. */
async function answerOf(matter: Matter, options: object, changes: Partial<Capture> = {}) {
  const [body, contentType, more] = FILES[matter];
  const capture = captureOf("", { body: Buffer.from(body, "latin1"), contentType, ...changes });
  const how = planScrape(requestFor({ ...options, ...more }));
  const context = { linkBase: "http://here", teamId: "team", signal, documents };
  return answers.make({ capture, captureId: undefined, how }, context);
}

/** One entry per format: ways to ask for it, and where it is not made. */
const FORMATS = Object.entries<Format>(formats).flatMap(([name, { examples, coverage = {}, listRule }]) => {
  const [format = { type: name }] = examples ?? [];
  const list = listRule?.isKept([name]) === false ? ["markdown", format] : [format];
  return matters.map((matter) => ({ name, matter, list, verdict: coverage[matter] }));
});
const isOf = (names: readonly string[]) => (entry: { readonly name: string }) => names.includes(entry.name);
const UNFETCHED = isOf(["audio", "video", "branding", "screenshot"]);

describe("formats, by what a page is", () => {
  test.each(FORMATS.filter(({ verdict }) => !verdict).filter((entry) => !UNFETCHED(entry)))(
    "$name is made of $matter",
    async ({ matter, list }) => {
      const { warning = "", isForNothing } = await answerOf(matter, { formats: list });
      expect(warning).not.toContain("Not done");
      expect(isForNothing).toBe(false);
    },
  );

  test.each(FORMATS.filter(({ verdict }) => verdict?.undone))(
    "$name is not made of $matter: a warning says why, and it costs nothing",
    async ({ name, matter, list, verdict }) => {
      const { warning, fields, isForNothing } = await answerOf(matter, { formats: list });
      expect(warning).toContain(`${name} (${verdict?.undone})`);
      expect(fields).toEqual(["warning"]);
      expect(isForNothing).toBe(true);
      const beside = await answerOf(matter, { formats: ["markdown", ...list] });
      expect(beside.isForNothing).toBe(false);
      expect(beside.fields).toEqual(["markdown", "warning"]);
    },
  );

  test.each(FORMATS.filter(({ verdict }) => verdict?.refused))(
    "$name is refused of $matter",
    async ({ matter, list, verdict }) => {
      await expect(answerOf(matter, { formats: list })).rejects.toMatchObject({ code: verdict?.refused });
    },
  );

  test("a picture that no engine could take costs nothing, and its document is not read", async () => {
    const lacks = { lacks: ["screenshot"] };
    const alone = await answerOf("pdf", { formats: ["screenshot"] }, lacks);
    expect([alone.isForNothing, alone.pageCounts]).toEqual([true, undefined]);
    const beside = await answerOf("pdf", { formats: ["screenshot", "links"] }, lacks);
    expect([beside.isForNothing, beside.pageCounts?.numPages]).toEqual([false, 1]);
    const withPages = { formats: ["screenshot"], parsers: [{ type: "pdf", pages: true }] };
    expect((await answerOf("pdf", withPages, lacks)).fields).toContain("pages");
  });
});

const OPTIONS = Object.entries<Coverage>(optionCoverage);
const BY_BROWSER = new Set(["waitFor", "mobile", "actions", "profile"]);
const AT_MATTERS = OPTIONS.filter(([name]) => !BY_BROWSER.has(name)).flatMap(([name, coverage]) =>
  matters.map((matter) => ({ name, matter, verdict: coverage[matter] })),
);

describe("options, by what a page is", () => {
  test.each(AT_MATTERS.filter(({ verdict }) => verdict?.undone))(
    "$name does nothing with $matter, and a warning says why",
    async ({ name, matter, verdict }) => {
      const { warning } = await answerOf(matter, { [name]: SAMPLES.get(name) });
      expect(warning).toContain(verdict?.undone);
      expect(warning).toMatch(new RegExp(`^Not done for such a file: .*\\b${name}\\b`));
    },
  );

  test.each(
    AT_MATTERS.filter(({ name, verdict }) => !verdict?.undone && !verdict?.refused && SAMPLES.has(name)),
  )("$name needs no word with $matter", async ({ name, matter }) => {
    const { warning = "" } = await answerOf(matter, { [name]: SAMPLES.get(name) });
    expect(warning).not.toContain("Not done");
  });

  test.each(AT_MATTERS.filter(({ verdict }) => verdict?.refused))(
    "$name is refused with $matter",
    async ({ name, matter, verdict }) => {
      const made = answerOf(matter, { [name]: SAMPLES.get(name) });
      await expect(made).rejects.toMatchObject({ code: verdict?.refused });
    },
  );
});

describe("by the way that a page is got", () => {
  const TABLE = [
    ...OPTIONS,
    ...Object.entries<Format>(formats).map(([name, { coverage = {} }]) => [name, coverage] as const),
  ];
  const verdicts = (way: (typeof ways)[number]) =>
    TABLE.flatMap(([name, coverage]) => {
      const verdict = coverage[way];
      return verdict && verdict.idle === undefined ? [{ name, verdict }] : [];
    });
  const asking = (name: string) => {
    const format = name in formats ? FORMATS.find((entry) => entry.name === name) : undefined;
    return format ? { formats: format.list } : { [name]: SAMPLES.get(name) };
  };

  test("browsers do everything", () => {
    expect(verdicts("browser")).toEqual([]);
  });

  test.each(verdicts("http"))("plain HTTP is known not to be enough for $name", ({ name }) => {
    expect(planScrape(requestFor(asking(name))).visit.browserFeatures).toEqual([name]);
  });

  test.each(verdicts("copy").filter(({ name, verdict }) => verdict.undone && name !== "screenshot"))(
    "lockdown says that it leaves $name undone",
    ({ name }) => {
      expect(reduceRequest(requestFor({ lockdown: true, ...asking(name) })).warnings).toHaveLength(1);
    },
  );

  test("a stored copy without a picture says so", async () => {
    expect((await answerOf("html", { formats: ["screenshot", "markdown"], lockdown: true })).warning).toBe(
      "The stored copy of the page has no screenshot.",
    );
  });
});
