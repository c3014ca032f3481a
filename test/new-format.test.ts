import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { formatTable } from "../scripts/documentation.ts";
import { formatOption } from "../packages/server/src/scrape/command/chosen-formats.ts";
import { describeService } from "../packages/server/src/http/openapi/describe-service.ts";
import { defineShape } from "../packages/server/src/api/operation-shape.ts";
import type { Page } from "../packages/server/src/scrape/page/page.ts";
import { ScrapeAnswer, scrapeAnswerSchema } from "../packages/server/src/scrape/answer/schema.ts";
import * as builtFormats from "../packages/server/src/scrape/formats/all.ts";
import { defineFormat } from "../packages/server/src/scrape/formats/format.ts";
import { formatRequests } from "../packages/server/src/scrape/request/formats.ts";
import { scrapeRequestSchema } from "../packages/server/src/scrape/request/schema.ts";
import { formatServices } from "../packages/server/src/scrape/scrape.suite.ts";
import { operations } from "./operations.ts";

/** What somebody would write who adds a format: this, and one line in the table. */
const wordCount = defineFormat({
  options: z
    .strictObject({ type: z.literal("wordCount"), longerThan: z.int().min(0).default(0) })
    .describe("How many words the page has."),
  listRule: { message: "Words are counted once", isKept: (types) => types.length < 3 },
  answer: { wordCount: z.int().min(0).describe("Words of the Markdown.") },
  price: { credits: 2 },
  async produce(page, { longerThan }) {
    const words = (await page.markdown()).split(/\s+/).filter((word) => word.length > longerThan);
    return { wordCount: words.length };
  },
});

const formats = { ...builtFormats, wordCount };
const request = scrapeRequestSchema(() => true, { ...formatRequests, wordCount });
const answer = scrapeAnswerSchema(formats);

const URL = "http://site.test/";
const METADATA = {
  sourceURL: URL,
  url: URL,
  statusCode: 200,
  contentType: "text/html",
  proxyUsed: "basic",
  scrapeId: "0190a7d5-1c2b-7a3e-8f4d-0123456789ab",
  creditsUsed: 3,
  concurrencyLimited: false,
};

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ObjectSchema & { readonly description?: string }>>;
}

describe("a format that is one file and one line in the table", () => {
  test("may be asked for, by its name or with its options", () => {
    const { formats: wanted } = request.parse({
      url: URL,
      formats: ["wordCount", { type: "wordCount", longerThan: 3 }],
    });
    expect(wanted).toEqual([
      { type: "wordCount", longerThan: 0 },
      { type: "wordCount", longerThan: 3 },
    ]);
    expect(scrapeRequestSchema(() => true).safeParse({ url: URL, formats: ["wordCount"] }).success).toBe(
      false,
    );
  });

  test("brings its rule over the list", () => {
    const tooMany = request.safeParse({ url: URL, formats: ["wordCount", "links", "html"] });
    expect(tooMany.error?.issues).toEqual([
      { code: "custom", path: ["formats"], message: "Words are counted once" },
    ]);
    expect(request.safeParse({ url: URL, formats: ["markdown", "links", "html"] }).success).toBe(true);
  });

  test("has its field in the answer, and nobody else has", async () => {
    const page: Pick<Page, "markdown"> = { markdown: async () => "# One\n\nTwo three." };
    const tools = {
      ...formatServices,
      teamId: "team",
      link: async () => "",
      warn: () => {},
      warnPartial: () => {},
      onceMade: () => {},
      answeredBy: () => {},
      model: undefined,
      reading: { captureId: undefined, name: "usual", again: async () => undefined },
      signal: new AbortController().signal,
    };
    const fields = await wordCount.produce(page as Page, { type: "wordCount", longerThan: 3 }, tools);
    expect(fields).toEqual({ wordCount: 1 });
    const body = { success: true, data: { ...fields, metadata: METADATA } };
    expect(answer.parse(body)).toEqual(body);
    expect(scrapeAnswerSchema(builtFormats).safeParse(body).error?.issues).toMatchObject([
      { code: "unrecognized_keys", path: ["data"], keys: ["wordCount"] },
    ]);
    const wrong = { success: true, data: { wordCount: "1", metadata: METADATA } };
    expect(answer.safeParse(wrong).error?.issues).toMatchObject([{ path: ["data", "wordCount"] }]);
  });

  test("is in the OpenAPI document, as a request and as an answer", () => {
    const scrape = operations.find(({ line }) => line === "POST /v2/scrape");
    if (!scrape) throw new Error("There is no such operation.");
    const body = defineShape("ScrapeRequest", request, {});
    const described = { ...scrape, body, answer: defineShape("ScrapeAnswer", answer, {}) };
    const document = describeService([described], { publicUrl: undefined, hasDashboard: false }) as {
      components: { schemas: Readonly<Record<string, ObjectSchema>> };
    };
    const { schemas } = document.components;
    expect(JSON.stringify(schemas["ScrapeRequest"]?.properties["formats"])).toContain(
      "How many words the page has.",
    );
    expect(schemas["ScrapeAnswer"]?.properties["data"]?.properties["wordCount"]).toMatchObject({
      type: "integer",
      description: "Words of the Markdown.",
    });
  });

  test("is in the help of the command line, which takes it", () => {
    const cli = new Command().addOption(formatOption(formats));
    expect(cli.helpInformation()).toContain('"wordCount"');
    expect(cli.parse(["--format", "wordCount,links"], { from: "user" }).opts()).toEqual({
      format: ["wordCount", "links"],
    });
  });

  test("is in the page of what works", () => {
    expect(formatTable(formats)).toContain(
      "| `wordCount` | How many words the page has. | `longerThan` | `wordCount` |",
    );
  });
});

test("a format that has no defaults is not offered where there are no options", () => {
  const help = new Command().addOption(formatOption(builtFormats)).helpInformation();
  expect(help).toContain('"markdown"');
  expect(help).toContain('"screenshot"');
  expect(help).not.toContain('"attributes"');
  expect(help).toContain('"summary"');
  expect(help).not.toContain('"question"');
});

test("no two formats declare a field of the same name differently", () => {
  const declared = Object.values(builtFormats).flatMap((format) => Object.entries(format.answer));
  const fields = new Map(declared);
  for (const [name, schema] of declared) expect([name, fields.get(name)]).toEqual([name, schema]);
  expect(Object.keys(ScrapeAnswer.shape.data.shape).toSorted()).toEqual(
    [...fields.keys(), "actions", "blocks", "metadata", "pages", "tools", "warning"].toSorted(),
  );
});
