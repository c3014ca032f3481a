import type { Page } from "playwright-core";

import type { FullDesk } from "../../test/dashboard/full-world.ts";
import { countClicks, settle } from "../../test/dashboard/pages.ts";

/** What is not there by then does not come. */
const PATIENCE_MS = 30_000;

type Act = (page: Page, baseUrl: string) => Promise<unknown>;

async function open(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: new RegExp(`^${screen}\\b`) }).click();
  await page.getByRole("heading", { name: screen, level: 1 }).waitFor();
  await settle(page);
}

/** Opens a screen, and what it names. */
async function openOn(page: Page, screen: string, name: RegExp): Promise<void> {
  await open(page, screen);
  await page.locator("main").getByRole("link", { name }).first().click();
  await settle(page);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
const seen = (page: Page, text: RegExp | string) => page.locator("main").getByText(text).first().waitFor();

/** A batch with a failed page, whose webhook nobody takes. */
async function openFailedBatch(page: Page): Promise<void> {
  await open(page, "Jobs");
  const batch = page.getByRole("row", { name: /Batch scrape.*14 of 14/ });
  await batch.getByRole("link").first().click();
  await settle(page);
}

/** A screen that answers by being opened. */
const showing =
  (screen: string, text: RegExp | string): Act =>
  async (page) => {
    await open(page, screen);
    await seen(page, text);
  };

const showingBatch =
  (text: RegExp | string): Act =>
  async (page) => {
    await openFailedBatch(page);
    await seen(page, text);
  };

/** What operators come for → the most clicks that it may take from the overview. They follow one another in one service. */
const TASKS: Readonly<Record<string, readonly [clicks: number, act: Act]>> = {
  "does it work?": [0, (page) => page.locator("header.page .badge").waitFor()],
  "which requests failed, and why did one of them?": [
    2,
    async (page) => {
      await page.getByRole("link", { name: "7 failed" }).click();
      await page.getByRole("link", { name: /\/held/ }).click();
      await page.locator(".drawer").getByText("For a slow page, raise").waitFor();
    },
  ],
  "what fails most, and where?": [
    2,
    async (page) => {
      await open(page, "Requests");
      await page.locator(".failures summary").click();
      await page.getByRole("link", { name: /dns resolution error at gone\.invalid/ }).waitFor();
    },
  ],
  "a request is found by its address and replayed, and what changed is shown": [
    3,
    async (page) => {
      await open(page, "Requests");
      await page.keyboard.press("/");
      await page.keyboard.type("price");
      await page.getByRole("link", { name: /\/price$/ }).first().click();
      await press(page, "Replay");
      await page.getByRole("region", { name: "Markdown differences" }).or(page.getByText("No differences")).first().waitFor();
    },
  ],
  "how far is a job?": [1, showing("Jobs", "12 of 13")],
  "why did pages of a job fail?": [
    2,
    showingBatch("SCRAPE_DNS_RESOLUTION_ERROR"),
  ],
  "why does nobody hear of a job?": [2, showingBatch(/ECONNREFUSED/)],
  "pages that failed are tried again": [
    3,
    async (page) => {
      await openFailedBatch(page);
      await press(page, "Retry 1 failed");
      await page.getByText("1 page are tried again.").or(page.getByText("0 of 1")).or(page.getByText("1 of 1")).first().waitFor();
    },
  ],
  "a job is cancelled": [
    4,
    async (page) => {
      await open(page, "Jobs");
      await page.getByRole("row", { name: /running/ }).getByRole("link").first().click();
      await press(page, "Cancel job");
      await press(page, "Cancel the job");
      await page.getByText("cancelled", { exact: true }).first().waitFor();
    },
  ],
  "an address is watched": [
    3,
    async (page, baseUrl) => {
      await open(page, "Monitors");
      await press(page, "New monitor");
      await page.getByRole("dialog").getByRole("textbox").first().fill(`${baseUrl}/healthz`);
      await page.getByRole("dialog").getByRole("button", { name: /^(?:Watch|Create|Make)/ }).click();
      await page.getByRole("heading", { name: "Schedule" }).waitFor();
    },
  ],
  "what changed on a watched page?": [
    3,
    async (page) => {
      await openOn(page, "Monitors", /^Prices/);
      await page.getByRole("row", { name: /1 changed/ }).first().getByRole("link").click();
      await page.getByText(/euros/).first().waitFor();
    },
  ],
  "a monitor rests": [
    3,
    async (page) => {
      await openOn(page, "Monitors", /^Prices/);
      await press(page, "Pause");
      await page.getByRole("button", { name: "Resume" }).waitFor();
    },
  ],
  "a live session is taken over": [
    3,
    async (page) => {
      await open(page, "Sessions");
      await page.getByRole("row", { name: /live/ }).getByRole("link").first().click();
      await press(page, "Take over");
      await page.getByRole("button", { name: "Release" }).waitFor();
    },
  ],
  "why did a tool fail?": [1, showing("Tools", "upstream error")],
  "who used how many credits this week?": [
    2,
    async (page) => {
      await open(page, "Usage");
      await page.getByLabel("Period").selectOption("week");
      await page.getByRole("row", { name: /Research/ }).waitFor();
    },
  ],
  "which kind of work costs most?": [
    2,
    async (page) => {
      await open(page, "Usage");
      await page.getByLabel("Group by").selectOption("kind");
      await page.getByRole("row", { name: /^monitor/ }).waitFor();
    },
  ],
  "a key for a colleague": [
    2,
    async (page) => {
      await page.getByRole("link", { name: "New key" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("colleague");
      await press(page, "Create key");
      await page.locator(".secret code").first().waitFor();
    },
  ],
  "which keys do not work, and why?": [1, showing("Keys", "limit used up")],
  "who changed a limit?": [
    2,
    async (page) => {
      await open(page, "Audit log");
      await page.getByLabel("Change", { exact: true }).selectOption("team.changed");
      await seen(page, /limits: .*concurrency/);
    },
  ],
  "a backup is made": [
    2,
    async (page) => {
      await open(page, "Backups");
      await press(page, "Back up now");
      await page.getByRole("row", { name: /done/ }).nth(1).waitFor();
    },
  ],
};

/** @returns tasks that take more clicks than they may, or do not end. */
export async function doTasks(desk: FullDesk): Promise<readonly string[]> {
  const { world, visit } = desk;
  const faults: string[] = [];
  for (const [name, [most, act]] of Object.entries(TASKS)) {
    const { page } = await visit("/healthz");
    page.setDefaultTimeout(PATIENCE_MS);
    const clicks = await countClicks(page);
    await page.goto(`${world.baseUrl}/dashboard`);
    await settle(page);
    const problem = await act(page, world.baseUrl).then(
      () => (clicks() > most ? `takes more than ${most} clicks` : undefined),
      (failure: unknown) => String(failure).split("\n").slice(0, 3).join(" "),
    );
    console.log(`${problem === undefined ? "ok  " : "MISS"} ${clicks()} clicks  ${name}`);
    if (problem !== undefined) faults.push(`${name}: ${problem}`);
    await page.context().close();
  }
  return faults;
}
