import { beforeAll, describe, expect, test } from "vitest";

import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();
let url: string;
let pdf: string;

beforeAll(async () => {
  url = world.site.page(
    "/contact",
    htmlPage(`<main><h1>Contact</h1><p class="mail">Write to <a href="mailto:kim@shop.test">kim@shop.test</a>,
      who answers all letters.</p><p>The shop is open all week.</p></main>`),
  );
  const body = writePdf({
    pages: ["One", "Two", "Three"].map((text) => textPage(`${text} of three pages.`)),
  });
  pdf = world.site.page("/report.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(body);
  });
});

async function dataOf(options: object) {
  const { status, body } = await world.scrape({ url, ...options });
  expect(status).toBe(200);
  const { metadata, warning = "" } = body.data;
  return { ...body.data, metadata, warning, credits: metadata.creditsUsed };
}

describe("A72 nothing is paid for that could not be given", () => {
  test.each<readonly [string, object, number]>([
    ["a screenshot of a PDF", { formats: ["screenshot"] }, 0],
    ["the same beside its text", { formats: ["screenshot", "markdown"] }, 3],
    ["links of a PDF that is not decoded", { formats: ["links"], parsers: [] }, 0],
    ["a PDF that is not decoded", { formats: ["markdown"], parsers: [] }, 1],
  ])("%s: %j", async (_name, options, credits) => {
    const data = await dataOf({ url: pdf, maxAge: 0, ...options });
    expect(data.credits).toBe(credits);
    expect(data.warning !== "").toBe(credits !== 1);
  });

  test("a PDF from memory costs what it cost at first", async () => {
    const credits = [await dataOf({ url: pdf }), await dataOf({ url: pdf })].map((data) => data.credits);
    expect(credits).toEqual([3, 3]);
  });

  test("formats of models under zero data retention", async () => {
    const formats = ["summary", { type: "question", question: "Who?" }];
    const alone = await dataOf({ zeroDataRetention: true, formats });
    expect([alone.credits, alone.warning]).toEqual([
      0,
      expect.stringMatching(/^Summary mode .* Query mode /),
    ]);
    expect((await dataOf({ zeroDataRetention: true, formats: [...formats, "links"] })).credits).toBe(2);
  });

  test("redaction where there is no text", async () => {
    const raw = await dataOf({ redactPII: true, formats: ["rawHtml", "links"] });
    expect(raw.credits).toBe(1);
    expect(raw.warning).toBe(
      "redactPII reaches only the Markdown and what is made of it, not rawHtml, links and metadata.",
    );
    const beside = await dataOf({ redactPII: true, formats: ["markdown", "html"] });
    expect(beside.credits).toBe(5);
    expect(beside.warning).toContain("not html and metadata.");
    const text = await dataOf({ redactPII: true });
    expect([text.credits, text.warning]).toEqual([5, ""]);
  });
});

describe("A73 what does nothing is told", () => {
  test.each<readonly [object, string]>([
    [{ includeTags: ["footer", ".mail"] }, 'Nothing on the page matches these tags: "footer".'],
    [{ excludeTags: [".advert"] }, 'Nothing on the page matches these tags: ".advert".'],
    [{ includeTags: [" ", "p[["] }, 'These selectors are not valid and were ignored: " ", "p[[".'],
    [
      { formats: [{ type: "attributes", selectors: [{ selector: "<<", attribute: "href" }] }] },
      'These selectors are not valid and were ignored: "<<".',
    ],
    [
      { headers: { Host: "other.test", "X-A": "1" } },
      "These headers belong to a connection and are not sent: Host.",
    ],
    [{ checkPromptInjection: true }, "The page was not checked for a prompt injection"],
    [{ url: "PDF", includeTags: ["p"] }, "Not done for such a file: includeTags (only pages and feeds"],
  ])("%j", async (options, sentence) => {
    const data = await dataOf("url" in options ? { ...options, url: pdf } : options);
    expect(data.warning).toContain(sentence);
  });

  test("and what does something is not", async () => {
    const data = await dataOf({ includeTags: ["h1", ".mail"], excludeTags: ["a"] });
    expect(data.warning).toBe("");
  });
});

test("A67 minAge parses a stored document as the options want it", async () => {
  await dataOf({ url: pdf });
  const asked = world.site.hits("/report.pdf").length;
  const parsers = [{ type: "pdf", maxPages: 2, pages: true }];
  const { pages, metadata } = await dataOf({ url: pdf, minAge: 0, parsers });
  expect(pages?.map(({ pageNumber }) => pageNumber)).toEqual([1, 2]);
  expect(metadata).toMatchObject({ cacheState: "hit", numPages: 2, totalPages: 3, creditsUsed: 2 });
  expect(world.site.hits("/report.pdf")).toHaveLength(asked);
});

test("A74 lockdown names each thing that it leaves undone", async () => {
  await dataOf({});
  const data = await dataOf({
    lockdown: true,
    headers: { Cookie: "a=b" },
    actions: [{ type: "click", selector: "a" }],
    profile: { name: "ann" },
    formats: ["markdown", { type: "screenshot", fullPage: true }, "summary"],
  });
  expect(data.warning).toContain(
    "Not done in lockdown, which answers from a stored copy: headers, actions, profile (nothing is sent to the page); size and quality of the screenshot (it is as it was stored).",
  );
  expect(data.warning).toContain("The stored copy of the page has no screenshot.");
  expect(data.warning).toContain("Summary mode is not supported");
  expect(data.metadata).toMatchObject({ partial: true, creditsUsed: 5, cacheState: "hit" });
  expect(data.actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] });
  expect(world.site.hits("/contact").filter(({ headers }) => headers["cookie"])).toEqual([]);
});
