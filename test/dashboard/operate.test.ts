import { afterAll, beforeAll, expect, test } from "vitest";

import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../../packages/server/src/storage/models/model-double.suite.ts";
import { operate } from "../operator.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, overflow, settle, WIDTHS } from "./pages.ts";

let desk: Desk;
let double: ModelDouble;

beforeAll(async () => {
  double = await startModelDouble("openai", [{ say: { text: '{"ok":true}' } }]);
  desk = await openDesk();
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  double.close();
});

test("the model is changed without a shell: one that does not answer is refused, the key is shown nowhere", async () => {
  const { page, complaints } = await desk.visit("/dashboard/settings");
  await settle(page);
  await page.getByRole("button", { name: "Change: Language model" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("LLM_BASE_URL").fill("http://127.0.0.1:9");
  await dialog.getByLabel("LLM_MODEL").fill("double");
  await dialog.getByLabel("LLM_API", { exact: true }).fill("openai");
  await dialog.getByLabel("LLM_API_KEY").fill("sk-typed-key");
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await dialog.getByText("Nothing was changed. The language model does not work").waitFor();
  await dialog.getByLabel("LLM_BASE_URL").fill(double.url);
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText(double.url).waitFor();

  await page.goto(`${desk.world.baseUrl}/dashboard/audit`);
  await page.getByText("setting: LLM_API_KEY").waitFor();
  expect(await page.content()).not.toContain("sk-typed-key");
  expect(await accessibilityProblems(page)).toEqual([]);
  // The refusal of the first attempt.
  expect(complaints.filter((line) => !line.includes("400"))).toEqual([]);
});

test("a backup is begun by a click, and its end is seen without another one", async () => {
  const { page, complaints } = await desk.visit("/dashboard/backups");
  await settle(page);
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("done", { exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await overflow(page)]).toEqual([width, 0]);
  }
  expect(complaints).toEqual([]);
});

test("cached pages go on to the oldest, and those of a host are purged by two clicks", async () => {
  const database = await openDatabase(`sqlite:${desk.world.dataDir}/pergamon.db`);
  const insert = database.prepared(
    `INSERT INTO captures (id, scope, key_hash, url, screenshot, wait_for_ms, status_code, size_bytes, representation,
       stored_at) VALUES (?, 'instance', ?, ?, 'none', 0, 200, 1000, 'page', ?)`,
  );
  for (let n = 1; n <= 450; n++) {
    const id = `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    const host = n % 2 === 0 ? "shop.test" : "shop.test.other.test";
    await insert.run(id, `hash-${String(n)}`, `https://${host}/${String(n)}`, Date.now());
  }
  await database.close();
  const { page, complaints } = await desk.visit("/dashboard/cache");
  await settle(page);
  const rows = page.getByRole("table").getByRole("row");
  const more = page.getByRole("button", { name: "Show older pages" });
  expect(await rows.count()).toBe(201);
  await more.click();
  await expect.poll(() => rows.count()).toBe(401);
  await more.click();
  await expect.poll(() => rows.count()).toBe(451);
  expect(await more.count()).toBe(0);
  await page.getByRole("button", { name: "Purge https://shop.test/450", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("All pages of shop.test", { exact: true }).check();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Purge" }).click();
  await page.getByText("Deleted 225 versions.").waitFor();
  await page.getByRole("searchbox", { name: "Part of a URL" }).fill("//shop.test/");
  await page.getByText("No cached pages").waitFor();
  const left = await operate(desk.world, "GET cache?limit=1000");
  expect(left.body.data).toHaveLength(225);
  expect(complaints).toEqual([]);
});
