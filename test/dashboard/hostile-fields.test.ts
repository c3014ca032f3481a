import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  BrowserSessionAnswer,
  BrowserSessionsAnswer,
  SessionRunAnswer,
} from "../../packages/server/src/interact/operator-shapes.ts";
import { RequestAnswer, RequestsAnswer } from "../../packages/server/src/history/operator/requests-shapes.ts";
import { OperatorProfilesAnswer } from "../../packages/server/src/operator/storage-shapes.ts";
import { ProvidersAnswer } from "../../packages/server/src/tools/operator/tools-shapes.ts";
import { openSite, type Site } from "../site.ts";
import { type Desk, OPENING_MS, openDesk, overflow, settle, THEMES, type Visit, WIDTHS } from "./pages.ts";

/** A megabyte, without a place to break. */
const LONG = "long".repeat(250_000);
/** What names and addresses are shown without. */
const DECEIVING = /[\u202A-\u202E\u200B\u009F\uFEFF]/;
const AT = "2026-11-22T14:02:30.000Z";

let desk: Desk;
let trap: Site;

beforeAll(async () => {
  [desk, trap] = await Promise.all([openDesk(), openSite()]);
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await trap.close();
});

/** What would run, call out, turn the text round, or break the layout, were it not only text. */
function hostile(): string {
  const script = `fetch("${trap.url("/script")}");alert(1)`;
  return [
    `</script><script>${script}</script><img src="${trap.url("/picture")}" onerror='${script}'>`,
    `<svg onload='${script}'></svg><iframe src="${trap.url("/frame")}"></iframe>`,
    `javascript:${script} data:text/html,<script>${script}</script>`,
    "\u202Egpj.exe\u202C zero\u200Bwidth \u0000\u0007\u001B[31m\u009F\uFEFF مرحبا بالعالم",
    LONG,
  ].join(" ");
}

/** Routes of the service → answers that are as the service declares them, and as bad as can be. */
function answers(): Readonly<Record<string, unknown>> {
  const text = hostile();
  // Answers take names of members up to this length.
  const name = text.slice(0, 1000);
  const success = true as const;
  const request = {
    id: "hostile",
    teamId: text,
    keyId: text,
    url: text,
    status: "failed" as const,
    statusCode: 200,
    errorCode: text,
    creditsUsed: 1,
    durationMs: 12,
    kind: "scrape",
    isPartial: false,
    cacheState: null,
    origin: text,
    formats: [text],
    way: text,
    replayOf: text,
    createdAt: AT,
  };
  const session = {
    id: "hostile",
    teamId: text,
    keyId: text,
    scrapeId: text,
    url: text,
    state: "active" as const,
    isHere: false,
    isPrompted: false,
    viewers: 0,
    createdAt: AT,
    lastUsedAt: AT,
    expiresAt: AT,
    endedAt: null,
    endReason: null,
    credits: 1,
  };
  const tool = {
    id: text,
    name: text,
    description: text,
    creditsCost: 1,
    perRecord: false,
    readOnly: true,
    options: { type: "object", properties: { [name]: { type: "string", description: text, default: text } } },
    example: { [name]: text },
  };
  const provider = {
    id: text,
    name: text,
    description: text,
    isOwn: true,
    status: "unreachable" as const,
    reason: text,
    leftOut: [text],
    cohorts: [text],
    domains: [text],
    attribution: text,
    ratePerSecond: 1,
    terms: { text, version: text, url: text, digest: text, acceptedBy: [{ teamId: text, acceptedAt: AT }] },
    tools: [tool],
  };
  return {
    "GET /admin/api/requests": RequestsAnswer.parse({
      success,
      data: [request],
      cursor: null,
      lookedBackTo: null,
    }),
    "GET /admin/api/requests/hostile": RequestAnswer.parse({
      success,
      data: {
        request,
        body: { url: text, headers: { [name]: text } },
        masked: [],
        explanation: { what: text, cause: text, remedy: text },
        climbed: { from: text, because: text },
        timings: [{ name: text, durationMs: 100, startMs: 0 }],
        hasAnswer: false,
        pageImages: 0,
        replays: [text],
      },
    }),
    "GET /admin/api/sessions": BrowserSessionsAnswer.parse({ success, data: [session], cursor: null }),
    "GET /admin/api/sessions/hostile": BrowserSessionAnswer.parse({
      success,
      data: { ...session, isHere: true },
    }),
    "POST /admin/api/sessions/hostile/run": SessionRunAnswer.parse({
      success,
      data: {
        stdout: text,
        stderr: text,
        result: text,
        output: null,
        exitCode: 1,
        killed: false,
        truncated: true,
        error: text,
        durationMs: 1,
      },
    }),
    "GET /admin/api/providers": ProvidersAnswer.parse({
      success,
      data: { isOnByDefault: true, file: null, providers: [provider] },
    }),
    "GET /admin/api/profiles": OperatorProfilesAnswer.parse({
      success,
      data: [{ teamId: text, name: text, sizeBytes: 1, isLocked: true, createdAt: AT, savedAt: AT }],
      cursor: null,
    }),
  };
}

async function visitHostile(path: string): Promise<Visit> {
  const visit = await desk.visit("/dashboard/keys");
  const known = answers();
  await visit.page.route("**/admin/api/**", (route) => {
    const { pathname } = new URL(route.request().url());
    const answer = known[`${route.request().method()} ${pathname}`];
    return answer === undefined ? route.fallback() : route.fulfill({ json: answer });
  });
  await visit.page.goto(desk.world.baseUrl + path);
  await settle(visit.page);
  return visit;
}

async function expectHarmless({ page, complaints }: Visit): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft([colorScheme, width, await overflow(page)]).toEqual([colorScheme, width, 0]);
    }
  }
  expect(
    await page
      .locator(
        "#root :is(script, img:not(.thumbnail img), iframe:not(.screen), svg:not(.icon, .brand svg, .spark))",
      )
      .count(),
  ).toBe(0);
  expect(await page.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);
  const named = await page.locator("h1, h2, .fills, .badge, .notice, .chip, .kv, option").allInnerTexts();
  expect(named.join(" ")).not.toMatch(DECEIVING);
  expect(complaints).toEqual([]);
  expect(trap.connections()).toBe(0);
}

/** Screens that show what others wrote → what is opened on them. */
const SCENES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "/dashboard/requests": async () => undefined,
  "/dashboard/requests?id=hostile": async (page) => {
    for (const tab of ["Request", "Timing", "Response"]) {
      await page.locator(".drawer").getByRole("tab", { name: tab, exact: true }).click();
      await page.locator(".drawer").getByRole("tabpanel").waitFor();
    }
  },
  "/dashboard/sessions": async () => undefined,
  "/dashboard/sessions?id=hostile": async (page) => {
    await page.getByLabel("Code in Node").fill("1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("log").locator("article").waitFor();
  },
  "/dashboard/tools": async (page) => {
    await page.getByRole("button", { name: "Read terms" }).click();
    await page.getByRole("dialog").waitFor();
  },
  "/dashboard/playground?tool=hostile": async (page) => {
    await page.getByRole("region", { name: "Options" }).waitFor();
  },
  "/dashboard/profiles": async (page) => {
    await page.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").waitFor();
  },
};

test.each(Object.entries(SCENES))(
  "on %s, megabytes of markup and deceiving characters stay text, within the layout",
  async (path, act) => {
    const visit = await visitHostile(path);
    await act(visit.page);
    await expectHarmless(visit);
    await visit.page.context().close();
  },
);

test("what runs in a page all the same is refused by the policy", async () => {
  const { page, complaints } = await desk.visit("/dashboard/keys");
  await settle(page);
  const element = `document.createElement("img")`;
  await page.evaluate(`{
    const image = ${element};
    image.src = "${trap.url("/planted")}";
    const holder = document.createElement("div");
    holder.innerHTML = '<img src="x" onerror="globalThis.planted = 1"><a href="javascript:globalThis.planted = 1">x</a>';
    document.body.append(image, holder);
    holder.querySelector("a").click();
  }`);
  await expect
    .poll(() => complaints.filter((line) => /Content Security Policy/.test(line)).length)
    .toBeGreaterThan(1);
  expect(await page.evaluate("globalThis.planted")).toBeUndefined();
  expect(trap.connections()).toBe(0);
});
