import { describe, expect, test } from "vitest";

import { limits } from "../../api/limits.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";
import { never } from "../visit.suite.ts";
import { actionData } from "./action-results.ts";
import type { ActionTools } from "./action.ts";
import { press } from "./press.ts";
import { Actions, waitBudgetMs } from "./requested-action.ts";

const WAIT = { type: "wait", milliseconds: 10 } as const;

describe("section 1.4: the actions of a request", () => {
  test("get their defaults", () => {
    expect(Actions.parse([{ type: "click", selector: "a" }, { type: "scroll" }, { type: "pdf" }])).toEqual([
      { type: "click", selector: "a", all: false },
      { type: "scroll", direction: "down" },
      { type: "pdf", format: "Letter", landscape: false, scale: 1 },
    ]);
  });

  test.each([
    ["no type", {}],
    ["an unknown type", { type: "dance" }],
    ["a wait for nothing", { type: "wait" }],
    ["a wait for two things", { type: "wait", milliseconds: 1, selector: "a" }],
    ["a wait of no time", { type: "wait", milliseconds: 0 }],
    ["a click on nothing", { type: "click" }],
    ["a page that is printed too small", { type: "pdf", scale: 0.01 }],
    ["an unknown paper", { type: "pdf", format: "Napkin" }],
  ])("cannot be %s", (_case, action) => {
    expect(Actions.safeParse([action]).success).toBe(false);
  });

  test("are limited in number", () => {
    const list = (length: number) => Array.from({ length }, () => WAIT);
    expect(Actions.safeParse(list(limits.actions)).success).toBe(true);
    const refused = Actions.safeParse(list(limits.actions + 1));
    expect(refused.error?.issues[0]?.message).toBe(`Number of actions cannot exceed ${limits.actions}`);
  });

  test("wait as long as their waits say, and a usual time for selectors", () => {
    const list = Actions.parse([WAIT, { type: "scroll" }, { type: "wait", selector: "a" }, WAIT]);
    expect(waitBudgetMs(list)).toBe(20 + limits.selectorWaitMs);
    expect(waitBudgetMs([])).toBe(0);
  });

  test("refuse a key that there is none of, before anything is typed", async () => {
    const untouched = { signal: never, tab: undefined } as unknown as ActionTools;
    await expect(press.run({ type: "press", key: "Control+Nonsense" }, untouched)).rejects.toMatchObject({
      code: "UNKNOWN_KEY",
      message: 'Unknown key: "Control+Nonsense".',
    });
  });
});

describe("section 2.2: what actions left behind", () => {
  const image: FileContent = { bytes: Buffer.from("image"), contentType: "image/png" };
  const paper: FileContent = { bytes: Buffer.from("paper"), contentType: "application/pdf" };
  const nothing = {
    screenshots: [],
    scrapes: [],
    javascriptReturns: [],
    pdfs: [],
    pages: ["http://site.test/"],
  };
  const link = async ({ contentType }: FileContent) => `https://files.test/${contentType}`;

  test("is linked, in the order of the actions", async () => {
    const results = { ...nothing, screenshots: [image, image], pdfs: [paper] };
    expect(await actionData(results, link)).toEqual({
      screenshots: ["https://files.test/image/png", "https://files.test/image/png"],
      scrapes: [],
      javascriptReturns: [],
      pdfs: ["https://files.test/application/pdf"],
    });
  });

  test("holds what scripts returned and pages as they were", async () => {
    const scrapes = [{ url: "http://site.test/", html: "<p>" }];
    const javascriptReturns = [{ type: "number", value: 3 }];
    const data = await actionData({ ...nothing, scrapes, javascriptReturns }, link);
    expect(data).toMatchObject({ scrapes, javascriptReturns });
  });

  test("has all lists, also where no engine did the actions", async () => {
    const lists = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
    expect(await actionData(nothing, link)).toEqual(lists);
    expect(await actionData({}, link)).toEqual(lists);
  });
});
