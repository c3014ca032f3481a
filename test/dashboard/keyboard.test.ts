import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { UnauthorizedError } from "../../packages/server/src/api/errors.ts";
import { SCRAPE_ID } from "../../packages/server/src/api/example-values.ts";
import { REPLAY_ID, requestExample } from "../../packages/server/src/history/operator/show-request.ts";
import { tabTo } from "./pages.ts";
import { answers as ofPictures } from "./picture-answers.ts";
import { type Asked, example, scraped, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

/** Everything below uses the keyboard alone: what it cannot reach, it does not find. */
async function press(page: Page, name: RegExp, key = "Enter"): Promise<void> {
  await tabTo(page, name);
  const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  expect([name, outline]).toEqual([name, "solid"]);
  await page.keyboard.press(key);
}

test("log in, scrape, find it, replay it", async () => {
  const refuse = () => {
    throw new UnauthorizedError("Unauthorized");
  };
  const detail = example("GET /admin/api/requests/{id}").data;
  const { page, complaints, answer, sent } = await screens.visit(
    "/dashboard/playground",
    {
      "GET /admin/session": refuse,
      "POST /admin/session": refuse,
      "POST /v2/scrape": scraped({ markdown: "# Keys only" }),
      "GET /admin/api/requests/{id}": ({ params: { id } }: Asked) => ({
        success: true,
        data: {
          ...detail,
          masked: [],
          request: { ...requestExample, id, replayOf: id === REPLAY_ID ? SCRAPE_ID : null },
        },
      }),
    },
    { isUnsettled: true },
  );
  await page.locator("#operator-key:focus").waitFor();
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("Wrong operator key.").waitFor();
  answer({ "POST /admin/session": example("GET /admin/session") });
  await page.keyboard.press("Control+a");
  await page.keyboard.type("right");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  await tabTo(page, /^URL/);
  await page.keyboard.type("https://site.test/");
  await press(page, /^Run/);
  await page.getByRole("heading", { name: "Keys only" }).waitFor();
  await press(page, /Go to/);
  await page.getByRole("combobox", { name: "Screen, id, URL or key" }).waitFor();
  await page.keyboard.type("Requests");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Requests" }).waitFor();
  await press(page, /^example\.com/);
  await press(page, /^Replay$/);
  await page.getByRole("tab", { name: "Compare", selected: true }).waitFor();
  expect(sent("POST /admin/session").map(({ body }) => body["key"])).toEqual(["wrong", "right"]);
  expect(complaints).toEqual([]);
});

test("make a key, copy it, and revoke another", async () => {
  const { page, complaints, sent } = await screens.visit("/dashboard/keys");
  await press(page, /^New key/);
  await page.getByRole("dialog").waitFor();
  await tabTo(page, /^Name/);
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await page.locator(".secret code").first().waitFor();
  await press(page, /^Copy key/);
  await page.locator(".toast").getByText("Copied.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("fc-0123456789abcdef0123456789abcdef");
  await press(page, /^I have copied it/);
  await press(page, /^Revoke ci/);
  await page.getByRole("dialog").waitFor();
  await press(page, /^Revoke$/);
  await expect.poll(() => sent("DELETE /admin/api/keys/{id}").length).toBe(1);
  expect(complaints).toEqual([]);
});

test("scrape a document, and walk its blocks", async () => {
  const { page, complaints } = await screens.visit("/dashboard/playground", {
    "POST /v2/scrape": ofPictures["POST /v2/scrape"],
  });
  await tabTo(page, /^URL/);
  await page.keyboard.type("https://site.test/lichens.pdf");
  await press(page, /^pdf/, "Space");
  await page.getByRole("switch", { name: "Blocks" }).waitFor();
  await press(page, /^Blocks/, "Space");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("tab", { name: "Blocks" }).waitFor();
  await tabTo(page, /^Markdown$/);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("group", { name: "Page 1" }).getByRole("button").first().waitFor();
  await tabTo(page, /Growth of lichens/);
  await page.keyboard.press("ArrowDown");
  const passages = page.getByRole("group", { name: "Text in reading order" }).getByRole("button");
  await expect.poll(() => passages.and(page.locator("[aria-pressed=true]")).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("open a live session, work in it, take it over and end it", async () => {
  const { page, complaints, sent } = await screens.visit("/dashboard/sessions");
  await press(page, /^example\.com/);
  await page.getByRole("button", { name: "Take over" }).waitFor();
  await tabTo(page, /^Code in Node/);
  await page.keyboard.type("await page.title()");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log", { name: "Calls" }).locator("article").waitFor();
  await press(page, /^Take over/);
  await page.getByRole("button", { name: "Release" }).waitFor();
  await press(page, /^End session/);
  await page.getByRole("dialog").waitFor();
  await press(page, /^End now/);
  await expect
    .poll(() => sent("DELETE /admin/api/sessions/{id}")[0]?.params)
    .toEqual({ id: expect.any(String) });
  expect(complaints).toEqual([]);
});

test("Ctrl K goes to a screen", async () => {
  const { page, complaints } = await screens.visit(`/dashboard/requests?id=${SCRAPE_ID}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Screen, id, URL or key" }).waitFor();
  await page.keyboard.type("sett");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  expect(complaints).toEqual([]);
});
