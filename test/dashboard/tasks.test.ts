import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { SCRAPE_ID } from "../../packages/server/src/api/example-values.ts";
import { REPLAY_ID, requestExample } from "../../packages/server/src/history/operator/show-request.ts";
import { countClicks, settle } from "./pages.ts";
import { type Answers, type Asked, example, scraped, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

/** By the side bar, where some screens have a count beside their names. */
async function open(page: Page, screen: string): Promise<void> {
  await page
    .getByRole("link", { name: new RegExp(`^${screen}\\b`) })
    .first()
    .click();
  await page.getByRole("heading", { name: screen, level: 1 }).waitFor();
  await settle(page);
}

const overview = example("GET /admin/api/overview");
const detail = example("GET /admin/api/requests/{id}").data;
const DETAIL: Answers = {
  "GET /admin/api/requests/{id}": ({ params: { id } }: Asked) => ({
    success: true,
    data: {
      ...detail,
      masked: [],
      request: { ...requestExample, id, replayOf: id === REPLAY_ID ? SCRAPE_ID : null },
    },
  }),
};

/** What operators come for → the most clicks that it may take from the overview: typing apart, and a choice is one. */
const TASKS: Readonly<
  Record<string, readonly [clicks: number, act: (page: Page) => Promise<unknown>, answers?: Answers]>
> = {
  "why did this scrape fail?": [
    1,
    async (page) => {
      await page.getByRole("link", { name: "10.1.2.3/private" }).first().click();
      await page.locator(".drawer").getByText("If this private target is yours").waitFor();
    },
    {
      "GET /admin/api/overview": {
        ...overview,
        data: {
          ...overview.data,
          latest: [{ ...requestExample, url: "http://10.1.2.3/private", status: "failed" }],
        },
      },
      "GET /admin/api/requests/{id}": {
        success: true,
        data: {
          ...detail,
          explanation: {
            what: "Refused.",
            cause: null,
            remedy: "If this private target is yours, allow it.",
          },
        },
      },
    },
  ],
  "which part is unwell, and what mends it?": [
    0,
    async (page) => {
      await page
        .getByText(/\d to fix/)
        .first()
        .waitFor();
      expect(await page.locator(".checks .remedy").innerText()).toBe("Set LLM_BASE_URL.");
    },
    {
      "GET /admin/api/setup"() {
        const { data, success } = example("GET /admin/api/setup");
        return {
          success,
          data: { ...data, checks: data.checks.map((check) => ({ ...check, status: "problem" })) },
        };
      },
    },
  ],
  "what costs most, sessions counted?": [
    2,
    async (page) => {
      await open(page, "Usage");
      await page.getByLabel("Group by").selectOption("kind");
      await page
        .locator(".panel", { has: page.getByLabel("Group by") })
        .getByRole("row")
        .last()
        .waitFor();
    },
  ],
  "who used how many credits this week?": [
    2,
    async (page) => {
      await open(page, "Usage");
      await page.getByLabel("Period").selectOption("week");
      await page.getByRole("row", { name: /Research.*130/ }).waitFor();
    },
  ],
  "a key for a colleague, Markdown alone and a hundred credits": [
    5,
    async (page) => {
      await page.getByRole("link", { name: "New key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("colleague");
      await dialog.getByText("Restrictions", { exact: true }).click();
      await dialog.getByRole("button", { name: "markdown", exact: true }).click();
      await dialog.getByLabel("Credits").fill("100");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await page.locator(".secret code").first().waitFor();
    },
  ],
  "data by a schema, copied as Python": [
    7,
    async (page) => {
      await open(page, "Playground");
      await page.getByLabel("URL", { exact: true }).fill("https://site.test/");
      await page.getByRole("button", { name: "json", exact: true }).click();
      await page.getByRole("button", { name: "Insert example" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByText("Linen apron").first().waitFor();
      await page.getByRole("button", { name: "Copy as code" }).click();
      await page.getByRole("tab", { name: "Python", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByText("Copied.").first().waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toContain(
        "from firecrawl import Firecrawl",
      );
    },
    { "POST /v2/scrape": scraped({ json: { name: "Linen apron" } }) },
  ],
  "a live session is watched and taken over": [
    3,
    async (page) => {
      await open(page, "Sessions");
      await page.getByRole("link", { name: /^example\.com/ }).click();
      await page.getByRole("button", { name: "Take over" }).click();
      await page.getByRole("button", { name: "Release" }).waitFor();
    },
  ],
  "a request is found by its URL, replayed, and what changed is shown": [
    3,
    async (page) => {
      await open(page, "Requests");
      await page.keyboard.press("/");
      await page.keyboard.type("example");
      await page
        .getByRole("link", { name: /^example\.com/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await page.getByRole("region", { name: "Markdown differences" }).waitFor();
    },
    DETAIL,
  ],
  "a profile is exported before its deletion": [
    4,
    async (page) => {
      await open(page, "Profiles");
      await page.getByRole("button", { name: "Delete shop" }).click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("dialog").getByRole("button", { name: "Export first" }).click();
      expect((await downloading).suggestedFilename()).toBe("shop.profile.json");
      await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  ],
};

test.each(Object.entries(TASKS))("%s", async (_name, [most, act, answers]) => {
  const { page, complaints } = await screens.visit("/healthz", answers, { isUnsettled: true });
  const clicks = await countClicks(page);
  await page.goto(`${screens.url}/dashboard`);
  await settle(page);
  await act(page);
  expect(clicks()).toBeLessThanOrEqual(most);
  expect(complaints).toEqual([]);
});
