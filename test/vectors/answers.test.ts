import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const TEXT = `<main><h1>The harbour of Elmstad</h1>
  <p>The harbour of Elmstad was opened by Queen Marta in 1874. It had three quays and a crane that ran on steam.</p>
  <p>Around 240 ships call every month. Most of them carry timber, and some carry salt.</p>
  <p>Dogs are not allowed on the quays. The café of Dr. Olsen sells waffles to everybody who comes by.</p></main>`;

const QUESTION = { type: "question", question: "When was the harbour opened?" } as const;
const HIGHLIGHTS = { type: "highlights", query: "ships timber" } as const;

const world = useSharedWorld("keyed");
let team: TestTeam;
let url: string;
let emptyUrl: string;
let longUrl: string;

beforeAll(async () => {
  url = world.site.page("/harbour", htmlPage(TEXT));
  emptyUrl = world.site.page("/empty", htmlPage("<main></main>"));
  longUrl = world.site.page(
    "/long",
    htmlPage(`<main>${"<p>A line about the harbour.</p>".repeat(11_000)}</main>`),
  );
  team = await makeTeam(world, { credits: 1000 });
});

async function scrape(options: object) {
  const { status, body } = await team.scrape({ url, ...options });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

describe("A49 without a language model", () => {
  test("a question is answered from the page, for the base price", async () => {
    expect(await scrape({ formats: [QUESTION] })).toMatchObject({
      answer: expect.stringContaining("opened by Queen Marta in 1874.") as string,
      warning: "Answer was made without a language model.",
      metadata: { answeredBy: ["question: rules"], creditsUsed: 1 },
    });
  });

  test("highlights are lines of the page", async () => {
    const data = await scrape({ formats: ["markdown", HIGHLIGHTS] });
    expect(data.highlights).toContain("Around 240 ships call every month.");
    for (const line of (data.highlights ?? "").split("\n")) expect(data.markdown).toContain(line);
    expect(data.warning).toBe("Highlights was made without a language model.");
    expect(data.metadata).toMatchObject({ answeredBy: ["highlights: rules"], creditsUsed: 1 });
  });

  test.each([
    ["freeform", { prompt: QUESTION.question }, "Answer", "opened by Queen Marta in 1874."],
    ["directQuote", { prompt: HIGHLIGHTS.query, mode: "directQuote" }, "Highlights", "Around 240 ships"],
  ])("a query is answered in its mode: %s", async (_mode, options, title, wanted) => {
    const data = await scrape({ formats: [{ type: "query", citeSources: true, ...options }] });
    expect(data.answer).toContain(wanted);
    expect(data.answerCitations?.map(({ text }) => text).join()).toMatch(/1874|240/);
    expect(data.highlights).toBeUndefined();
    expect(data.warning).toBe(`${title} was made without a language model.`);
    expect(data.metadata.answeredBy).toEqual(["query: rules"]);
  });

  test("A76 answers and highlights name the parts of the page that they are from", async () => {
    const asked = [QUESTION, HIGHLIGHTS].map((format) => ({ ...format, citeSources: true }));
    const data = await scrape({ formats: ["markdown", ...asked] });
    for (const citations of [data.answerCitations, data.highlightsCitations]) {
      expect(citations).not.toHaveLength(0);
      for (const { text, markdownSpan, foundBy } of citations ?? [])
        expect([data.markdown?.slice(...(markdownSpan ?? [])), foundBy]).toEqual([text, "rule"]);
    }
    expect(data.answerCitations?.map(({ text }) => text).join()).toContain("1874");
    expect(await scrape({ formats: [QUESTION] })).not.toHaveProperty("answerCitations");
  });

  test("a question wins over a query", async () => {
    const query = { type: "query", prompt: "Are dogs allowed?" };
    const data = await scrape({ formats: [query, QUESTION] });
    expect(data.answer).toContain("1874");
    expect(data.warning).toBe("Answer was made without a language model.");
  });

  test("the answer is the same from memory, and again by its id", async () => {
    const first = await scrape({ formats: [QUESTION] });
    const second = await scrape({ formats: [QUESTION] });
    expect(second.metadata).toMatchObject({ cacheState: "hit", answeredBy: ["question: rules"] });
    const { body } = await world.get(`/v2/scrape/${second.metadata.scrapeId}`, team.headers);
    expect([second.answer, body.data.answer]).toEqual([first.answer, first.answer]);
  });
});

test("A50 a summary is there, and in the page's own words", async () => {
  const data = await scrape({ formats: ["markdown", "summary"] });
  expect(data.summary).toMatch(/^The harbour of Elmstad was opened/);
  for (const line of (data.summary ?? "").split("\n")) expect(data.markdown).toContain(line);
  expect(data.warning).toBe("Summary was made without a language model.");
  expect(data.metadata).toMatchObject({ answeredBy: ["summary: rules"], creditsUsed: 1 });
});

describe("A50 onlyCleanContent without a language model", () => {
  test("keeps only lines of the page", async () => {
    const extra = "<div><p>Advertisement</p><p>We use cookies to make this site better.</p></div></main>";
    const path = world.site.page("/unclean", htmlPage(TEXT.replace("</main>", extra)));
    const plain = await scrape({ url: path, onlyMainContent: false });
    const data = await scrape({ url: path, onlyMainContent: false, onlyCleanContent: true });
    expect(plain.markdown).toContain("Advertisement");
    expect(data.markdown).not.toMatch(/Advertisement|cookies/);
    for (const line of (data.markdown ?? "").split("\n")) expect(plain.markdown).toContain(line);
    expect(data.warning).toBe("Content was cleaned without a language model.");
    expect(data.metadata.creditsUsed).toBe(1);
  });

  test("says so when there is nothing to clean", async () => {
    const data = await scrape({ url: emptyUrl, onlyCleanContent: true });
    expect(data.warning).toBe("Content cleaning was skipped because the markdown content is empty.");
  });
});

test("3.10 what a selection leaves out is not used", async () => {
  const data = await scrape({ formats: [QUESTION, "summary"], includeTags: ["p:last-child"] });
  expect(data.answer).not.toContain("1874");
  expect(data.summary).toMatch(/^Dogs are not allowed/);
});

test.each([
  ["summary", "Summary generation was skipped because the markdown content is empty."],
  [QUESTION, "Query was skipped because the markdown content is empty."],
  [HIGHLIGHTS, "Query was skipped because the markdown content is empty."],
])("3.10 a page without text has no %j", async (format, warning) => {
  const data = await scrape({ url: emptyUrl, formats: [format] });
  expect(Object.keys(data).toSorted()).toEqual(["metadata", "warning"]);
  expect(data.warning).toBe(warning);
  expect(data.metadata.answeredBy).toBeUndefined();
});

test.each([
  [QUESTION, "the answer was"],
  [HIGHLIGHTS, "the highlights were"],
])("3.10 a page that is too long is told of: %j", async (format, what) => {
  const data = await scrape({ url: longUrl, formats: [format] });
  expect(data.warning).toContain(
    `The page was too long to process in full; ${what} generated from the first part of it.`,
  );
});

test("a page cannot say who answered", async () => {
  const path = world.site.page("/claims", htmlPage("<p>x", '<meta name="answeredBy" content="the page">'));
  expect((await scrape({ url: path })).metadata.answeredBy).toBeUndefined();
});

test("the official client gets them", async () => {
  const apiKey = team.headers["authorization"]?.slice("Bearer ".length) ?? "";
  const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey });
  const document = await client.scrape(url, { formats: ["summary", QUESTION, HIGHLIGHTS] });
  expect(document).toMatchObject({
    summary: expect.stringContaining("harbour") as string,
    answer: expect.stringContaining("1874") as string,
    highlights: expect.stringContaining("timber") as string,
  });
});
