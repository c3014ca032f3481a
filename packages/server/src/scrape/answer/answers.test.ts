import { describe, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openPages } from "../page/pages.ts";
import { openPageThreads } from "../page/threads.ts";
import type { Files } from "../../files/files.ts";
import { noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import { planScrape } from "../request/plan.ts";
import { captureOf, formatServices, requestFor } from "../scrape.suite.ts";
import { openAnswers } from "./answers.ts";

const pages = openPages(openPageThreads({ most: 1, onError: () => {} }));
const signal = new AbortController().signal;
const context = { linkBase: "http://here", teamId: "team", signal, documents: noDocuments };
const capture = captureOf("<title>x</title><p>A paragraph of the page.");
const png = { bytes: Buffer.from("image"), contentType: "image/png" as const };

function open() {
  const linked: string[] = [];
  const files: Pick<Files, "link"> = {
    link: async (_file, lifeMs, teamId, sinceMs) =>
      `/file-${linked.push(`${teamId} ${lifeMs} since ${sinceMs}`)}`,
  };
  return {
    answers: openAnswers({
      records: { answerMadeFrom: async () => undefined },
      pages,
      files: files as Files,
      captures: { load: async () => undefined },
      ...formatServices,
    }),
    linked,
  };
}

const howTo = (options: object) => planScrape(requestFor(options));

describe("an answer", () => {
  test("of a cached capture is made once, and remembered", async () => {
    const { answers } = open();
    const source = { capture, captureId: "c1", how: howTo({}) };
    expect(answers.cached("c1", source.how, true)).toBeUndefined();
    const [first, second] = await Promise.all([answers.make(source, context), answers.make(source, context)]);
    expect(second).toBe(first);
    expect(answers.cached("c1", howTo({}), true)).toBe(first);
    expect(answers.cached("c1", howTo({ formats: ["links"] }), true)).toBeUndefined();
    expect(answers.cached("c2", source.how, true)).toBeUndefined();
  });

  test("is forgotten when the answers after it are as large as what may be remembered, or at rest", async () => {
    const { answers } = open();
    const how = howTo({ formats: ["markdown", "html", "rawHtml", "links"] });
    const large = captureOf(`<p>${"Words of a page. ".repeat(6000)}</p>`);
    const make = (number: number) => answers.make({ capture: large, captureId: `c${number}`, how }, context);
    await make(0);
    await make(1);
    expect(answers.cached("c0", how, true)).toBeDefined();
    for (let number = 2; number < 20; number += 1) await make(number);
    expect(answers.cached("c0", how, true)).toBeUndefined();
    expect(answers.cached("c19", how, true)).toBeDefined();
    answers.letGo();
    expect(answers.cached("c19", how, true)).toBeUndefined();
  });

  test("of a capture that is not cached is made each time", async () => {
    const { answers } = open();
    const source = { capture, captureId: undefined, how: howTo({}) };
    expect(await answers.make(source, context)).not.toBe(await answers.make(source, context));
  });

  test("F8 with a link is made for each team, and the link ends a day after the capture was stored", async () => {
    const { answers, linked } = open();
    const source = {
      capture: { ...capture, screenshot: png },
      captureId: uuidV7(1_900_000_000_000),
      how: howTo({ formats: ["screenshot"] }),
    };
    const made = [
      await answers.make(source, context),
      await answers.make(source, { ...context, teamId: "other" }),
    ];
    expect(made.map((answer) => answer.data(FACTS).screenshot)).toEqual([
      "http://here/file-1",
      "http://here/file-2",
    ]);
    expect(linked).toEqual(["team 86400000 since 1900000000000", "other 86400000 since 1900000000000"]);
    expect(answers.cached(source.captureId, source.how, true)).toBeUndefined();
  });

  test("that could not be made is tried again", async () => {
    const { answers } = open();
    const how = howTo({});
    const unreadable = captureOf("\u0000\u0001\u0002", { contentType: "application/octet-stream" });
    const source = { capture: unreadable, captureId: "c1", how };
    await expect(answers.make(source, context)).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
    expect(answers.cached("c1", how, true)).toBeUndefined();
    const again = answers.make({ ...source, capture }, context);
    await expect(again).resolves.toBeDefined();
  });
});

const FACTS = { sourceURL: "", scrapeId: "", creditsUsed: 1, concurrencyLimited: false };
