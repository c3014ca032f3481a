import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

/** How a request goes wrong, what the log says of it, and what a replay shows once the cause is gone. */
interface Failure {
  readonly body: (desk: Desk) => object;
  readonly cause: RegExp;
  /** What the operator does about it: something outside, another body, or both. */
  readonly mend: { readonly outside?: (desk: Desk) => void; readonly changes?: object };
  readonly difference: RegExp;
}

const GOOD = htmlPage("<h1>Good at last</h1><p>Some words to read.</p>");

const FAILURES: Readonly<Record<string, Failure>> = {
  "a timeout": {
    body: ({ world }) => ({ url: world.site.page("/late", () => undefined), timeout: 1000 }),
    cause: /timed out[^]*where the time went/,
    // A second may be too little for a busy machine.
    mend: { outside: ({ world }) => void world.site.page("/late", GOOD), changes: { timeout: 60_000 } },
    difference: /\$\.status[^]*failed[^]*completed/,
  },
  "a site that answers 403": {
    body: ({ world }) => ({
      url: world.site.page(
        "/refused",
        (_request, response) => void response.writeHead(403).end("<h1>No</h1>"),
      ),
    }),
    cause: /refused the visit\. It answered 403[^]*proxy: enhanced/,
    mend: { outside: ({ world }) => void world.site.page("/refused", GOOD) },
    difference: /Good at last/,
  },
  "a robots.txt that forbids it": {
    body({ world }) {
      world.site.page(
        "/robots.txt",
        (_request, response) => void response.end("User-agent: *\nDisallow: /closed"),
      );
      return { url: world.site.page("/closed", GOOD), safeMode: true };
    },
    cause: /safe mode[^]*safeMode/i,
    mend: { changes: { safeMode: false } },
    difference: /\$\.status[^]*failed[^]*completed[^]*\$\.safeMode/,
  },
  "a wrong selector": {
    body: ({ world }) => ({
      url: world.site.page("/button", htmlPage("<button id=right>Go</button>")),
      actions: [{ type: "click", selector: "#wrong" }],
    }),
    cause: /#wrong[^]*correct the selector/,
    mend: { changes: { actions: [{ type: "click", selector: "#right" }] } },
    difference: /failed[^]*completed[^]*#wrong[^]*#right/,
  },
  "a language model that is missing": {
    body: ({ world }) => ({
      url: world.site.page("/words", GOOD),
      formats: [{ type: "json", prompt: "The mood" }],
    }),
    cause: /model[^]*set-up list/i,
    mend: { changes: { formats: ["markdown"] } },
    difference: /\$\.formats/,
  },
};

let desk: Desk;
let team: TestTeam;

async function openFailure(which: Desk, url: string): Promise<Page> {
  const { page } = await which.visit("/dashboard/requests");
  await settle(page);
  await page
    .getByRole("link", { name: url.replace("http://", "") })
    .first()
    .click();
  return page;
}

/** What the drawer says of the request. */
async function causeOn(page: Page): Promise<string> {
  const notice = page.locator(".drawer .notice").first();
  await notice.waitFor();
  return notice.innerText();
}

async function replayOn(page: Page, mend: Failure["mend"], body: object, which: Desk): Promise<void> {
  mend.outside?.(which);
  if (!mend.changes) {
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    return;
  }
  await page.getByRole("button", { name: "Replay with changes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("textbox")
    .first()
    .fill(JSON.stringify({ ...body, ...mend.changes }));
  await dialog.getByRole("button", { name: "Run again" }).click();
}

/** What the replay shows of how it differs. */
async function differencesOn(page: Page): Promise<string> {
  const panel = page.locator(".drawer").getByRole("tabpanel");
  await page.locator(".drawer").getByRole("tab", { name: "Compare", selected: true }).waitFor();
  await panel.locator("table, .diff").first().waitFor();
  return panel.innerText();
}

describe("in two clicks from the log, a request tells its cause in words, and a replay what differs:", () => {
  beforeAll(async () => {
    desk = await openDesk();
    team = await makeTeam(desk.world, { credits: 1000 });
  }, OPENING_MS);

  afterAll(() => desk.close());

  test.each(Object.keys(FAILURES))("%s", async (name) => {
    const { body, cause, mend, difference } = FAILURES[name] as Failure;
    const request = body(desk) as { readonly url: string };
    await team.scrape(request);
    const page = await openFailure(desk, request.url);
    expect(await causeOn(page)).toMatch(cause);
    await replayOn(page, mend, request, desk);
    expect(await differencesOn(page)).toMatch(difference);
    await page.context().close();
  });
});

test(
  "a browser that is missing is told as the cause, too",
  async () => {
    const bare = await openDesk({ BROWSER_URLS: "ws://127.0.0.1:1" });
    const url = bare.world.site.page("/needs-browser", GOOD);
    const one = await makeTeam(bare.world, { credits: 100 });
    const request = { url, formats: ["markdown", "screenshot"], timeout: 20_000 };
    await one.scrape(request);
    const page = await openFailure(bare, url);
    expect(await causeOn(page)).toMatch(/browser[^]*set-up list/i);
    await replayOn(page, { changes: { formats: ["markdown"] } }, request, bare);
    expect(await differencesOn(page)).toMatch(/\$\.formats\[1\][^]*screenshot/);
    await bare.close();
  },
  OPENING_MS,
);
