import { beforeAll, expect, test } from "vitest";

import { SCRAPE_ID } from "../../packages/server/src/api/example-values.ts";
import { accessibilityProblems } from "./pages.ts";
import { example, type Screens, sharedScreens } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await sharedScreens();
});

test("a monitor is run, its changes stand side by side, and it is paused and deleted", async () => {
  const detail = example("GET /admin/api/monitors/{id}");
  const checked = example("GET /admin/api/monitors/{id}/checks/{checkId}");
  const text =
    "@@ -1 +1 @@\n-One anvil costs 10 crowns.\n+One anvil costs 12 crowns. <img src=x onerror=alert(1)>\n";
  const changed = {
    id: SCRAPE_ID,
    targetId: "t",
    url: "https://example.com/prices",
    status: "changed",
    previousScrapeId: SCRAPE_ID,
    currentScrapeId: SCRAPE_ID,
    statusCode: 200,
    error: null,
    metadata: {},
    diff: { text, json: null },
    judgment: null,
    createdAt: detail.data.monitor.createdAt,
  };
  const { page, sent, complaints, answer } = await screens.visit(`/dashboard/monitors?id=${SCRAPE_ID}`, {
    "GET /admin/api/monitors/{id}/checks/{checkId}": {
      ...checked,
      data: { ...checked.data, pages: [changed] },
    },
  });
  await page.getByRole("button", { name: "Run now" }).click();
  await expect.poll(() => sent("POST /admin/api/monitors/{id}/run").length).toBe(1);
  await page.getByRole("row").filter({ hasText: "1 changed" }).getByRole("link").click();
  const lines = page.getByRole("region", { name: "Changed lines" });
  await lines.getByText("removed: One anvil costs 10 crowns.").waitFor();
  await lines.getByText("added: One anvil costs 12 crowns").waitFor();
  expect(await lines.locator("mark").first().innerText()).toBe("10");
  const colours: readonly string[] = await page.evaluate(
    `[...document.querySelectorAll("mark")].map((mark) => getComputedStyle(mark).backgroundColor)`,
  );
  expect(new Set(colours).size).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "‹ All checks" }).click();
  answer({
    "GET /admin/api/monitors/{id}": {
      ...detail,
      data: { ...detail.data, monitor: { ...detail.data.monitor, status: "paused" } },
    },
  });
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "‹ All monitors" }).click();
  await page.getByRole("img", { name: "Changes in 2 of the last 3 checks" }).waitFor();
  await page.getByRole("link", { name: "Prices" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => sent().map(({ line }) => line.split(" ")[0])).toEqual(["POST", "PATCH", "DELETE"]);
  expect(complaints).toEqual([]);
});

test("a live session is worked in, shared, taken over and ended", async () => {
  const { page, sent, complaints, answer } = await screens.visit(`/dashboard/sessions?id=${SCRAPE_ID}`);
  await page.frameLocator("iframe.screen").getByText("The live picture").waitFor();
  await page.getByLabel("Code in Node").fill("await page.title()");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log", { name: "Calls" }).locator("article").waitFor();
  expect(sent("POST /admin/api/sessions/{id}/run")[0]?.body).toMatchObject({ code: "await page.title()" });
  await page.getByText("The browser is at https://example.com/results").waitFor();
  const width = async () => (await page.locator("iframe.screen").boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Large view" }).click();
  expect(await width()).toBeLessThan(700);
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Release" }).waitFor();
  expect(sent("POST /admin/api/sessions/{id}/view").at(-1)?.body).toEqual({ isInteractive: true });
  const { data } = example("GET /admin/api/sessions/{id}");
  const ended = { ...data, state: "destroyed", isHere: false, endedAt: data.createdAt, endReason: "stopped" };
  answer({ "GET /admin/api/sessions/{id}": { success: true, data: ended } });
  await page.getByRole("button", { name: "End session" }).click();
  await page.getByRole("button", { name: "End now" }).click();
  await page.getByText("The session has ended").waitFor();
  expect(await page.getByRole("button", { name: "Take over" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Run", exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a backup is begun by a click, and its end is seen without another one", async () => {
  const backups = example("GET /admin/api/backups");
  const [backup] = backups.data.backups;
  let answers = 0;
  const { page, sent, complaints } = await screens.visit("/dashboard/backups", {
    "GET /admin/api/backups"() {
      const state = (answers += 1) > 2 ? "done" : "running";
      return { ...backups, data: { ...backups.data, backups: answers === 1 ? [] : [{ ...backup, state }] } };
    },
  });
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("done", { exact: true }).waitFor();
  expect(sent("POST /admin/api/backups")[0]?.body).toMatchObject({ withFiles: false });
  expect(complaints).toEqual([]);
});

test("a browser is opened by clicks, at a page, with links for programs and people", async () => {
  const { page, sent, complaints } = await screens.visit("/dashboard/sessions");
  await page.getByRole("button", { name: "Open a browser" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("First page").fill("https://example.com/first");
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await dialog.getByRole("button", { name: "Copy CDP URL" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^wss?:/);
  expect(sent("POST /v2/interact/{id}/execute")[0]?.body).toMatchObject({
    code: 'await page.goto("https://example.com/first")',
  });
  await dialog.getByRole("link", { name: "Show the session" }).click();
  await page.getByRole("button", { name: "Take over" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
