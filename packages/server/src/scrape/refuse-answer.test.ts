import { expect, test } from "vitest";

import { ForbiddenError } from "../api/errors.ts";
import type { ScrapeData } from "./answer/schema.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import { callerWith } from "./scrape.suite.ts";

const metadata = {} as ScrapeData["metadata"];
const nothing = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };

function refusalOf(data: Omit<ScrapeData, "metadata">, formats?: string[]): string {
  try {
    refuseAnswer({ ...data, metadata }, callerWith({}, { ...(formats && { formats }) }));
    return "";
  } catch (failure) {
    if (failure instanceof ForbiddenError) return failure.message;
    throw failure;
  }
}

test.each<readonly [Omit<ScrapeData, "metadata">, string[] | undefined]>([
  [{ markdown: "", html: "", actions: { ...nothing, pdfs: ["x"] } }, undefined],
  [{ markdown: "" }, ["markdown"]],
  [{ warning: "Something was left out." }, []],
  [{ links: [], screenshot: "x" }, ["links", "screenshot", "html"]],
  [{ actions: { ...nothing, screenshots: ["x"] } }, ["screenshot"]],
  [{ actions: { ...nothing, javascriptReturns: [{ type: "number", value: 1 }] } }, ["executeJavascript"]],
  [{ actions: nothing }, []],
])("R5 %j is for a key restricted to %j", (data, formats) => {
  expect(refusalOf(data, formats)).toBe("");
});

test.each<readonly [Omit<ScrapeData, "metadata">, string[], string]>([
  [{ markdown: "", rawHtml: "" }, ["markdown"], "rawHtml"],
  [{ markdown: "" }, [], "markdown"],
  [{ markdown: "" }, ["constructor", "toString"], "markdown"],
  [{ html: "", images: [] }, ["markdown"], "html, images"],
  [{ actions: { ...nothing, pdfs: ["x"] } }, ["screenshot"], "actions.pdfs"],
  [{ actions: { ...nothing, scrapes: [{ url: "", html: "" }] } }, ["html"], "actions.scrapes"],
])("R5 %j is not for a key restricted to %j", (data, formats, refused) => {
  expect(refusalOf(data, formats)).toContain(`The scrape also contains: ${refused}. `);
});
