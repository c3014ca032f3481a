import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";

import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { ChangedMeanwhileError } from "../../packages/server/src/api/errors.ts";
import { KEY_ID, SCRAPE_ID, TEAM_ID } from "../../packages/server/src/api/example-values.ts";
import { type Answers, type Asked, example, openScreens, type Screens, type ScreenVisit } from "./screens.ts";

let screens: Screens;

beforeAll(async () => {
  screens = await openScreens();
});

/** A form in a dialog: how it is reached and filled in, and what it asks the service for. */
interface DialogForm {
  readonly screen: string;
  /** The buttons that lead to the dialog, by how their names begin. */
  readonly buttons: readonly string[];
  readonly verb: string;
  /** Label → what is typed. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What else is done before it is sent. */
  fill?(dialog: Locator): Promise<unknown>;
  /** The line of the operation, what its path names, and its body in part. */
  readonly asks: readonly [line: string, params?: object, body?: object];
  /** What is shown afterwards, instead of no dialog. */
  readonly done?: (page: Page) => Promise<unknown>;
}

const madeKey = (page: Page) => page.getByRole("button", { name: "I have copied it" }).waitFor();
const url = "https://example.com/";

const DIALOGS: Readonly<Record<string, DialogForm>> = {
  "a new key": {
    screen: "keys?new=1",
    buttons: [],
    verb: "Create key",
    typed: { Name: "colleague", "Expires after days": "30" },
    async fill(dialog) {
      await dialog.getByText("Restrictions", { exact: true }).click();
      await dialog.getByLabel("Credits").fill("100");
      await dialog.getByRole("button", { name: "markdown", exact: true }).click();
    },
    asks: [
      "POST /admin/api/teams/{id}/keys",
      { id: "default" },
      { name: "colleague", restrictions: { formats: ["markdown"], credits: 100 }, expiresInDays: 30 },
    ],
    done: madeKey,
  },
  "an edited key": {
    screen: "keys",
    buttons: ["Edit ci"],
    verb: "Save",
    typed: { Name: "another", Credits: "22" },
    asks: [
      "PATCH /admin/api/keys/{id}",
      { id: KEY_ID },
      { name: "another", restrictions: { endpoints: ["scrape"], requestsPerMinute: 60, credits: 22 } },
    ],
  },
  "a rotated key": {
    screen: "keys",
    buttons: ["Rotate ci"],
    verb: "Rotate",
    typed: { "Hours until the old text ends": "0" },
    asks: ["POST /admin/api/keys/{id}/rotate", { id: KEY_ID }, { graceHours: 0 }],
    done: madeKey,
  },
  "a revoked key": {
    screen: "keys",
    buttons: ["Revoke ci"],
    verb: "Revoke",
    asks: ["DELETE /admin/api/keys/{id}", { id: KEY_ID }],
  },
  "a new team": {
    screen: "teams",
    buttons: ["New team"],
    verb: "Create team",
    typed: { Name: "Guild", Credits: "7" },
    asks: ["POST /admin/api/teams", {}, { name: "Guild", credits: 7 }],
    done: madeKey,
  },
  "an edited team": {
    screen: "teams",
    buttons: ["Edit Research"],
    verb: "Save",
    typed: { "Allowance of credits": "500", "Concurrent requests": "3" },
    async fill(dialog) {
      await dialog.getByLabel("Zero data retention").selectOption("forced");
      await dialog.getByLabel("Threat policy").selectOption("manual-only");
      await dialog.getByLabel("Blacklist").fill("bad.test");
    },
    asks: [
      "PATCH /admin/api/teams/{id}",
      { id: TEAM_ID },
      {
        allowance: { credits: 500, period: "month" },
        limits: { concurrency: 3 },
        flags: { zeroDataRetention: "forced" },
        threatPolicy: { mode: "manual-only", blacklist: ["bad.test"] },
      },
    ],
  },
  "a deleted team": {
    screen: "teams",
    buttons: ["Edit Research", "Delete team"],
    verb: "Delete team",
    asks: ["DELETE /admin/api/teams/{id}", { id: TEAM_ID }],
  },
  "changed settings": {
    screen: "settings",
    buttons: ["Change: Accounts"],
    verb: "Test and save",
    typed: { RATE_LIMIT: "77" },
    asks: ["PATCH /admin/api/settings", {}, { changes: { RATE_LIMIT: "77" } }],
  },
  "a replay": {
    screen: `requests?id=${SCRAPE_ID}`,
    buttons: ["Replay with changes"],
    verb: "Run again",
    typed: { "Request to run": JSON.stringify({ url, formats: ["links"] }) },
    asks: ["POST /admin/api/requests/{id}/replay", { id: SCRAPE_ID }, { body: { url, formats: ["links"] } }],
  },
  "a new monitor": {
    screen: "monitors",
    buttons: ["New monitor"],
    verb: "Watch",
    typed: { "URLs, one per line": url, "Schedule, in words or as cron": "weekly" },
    asks: [
      "POST /admin/api/monitors",
      {},
      { request: { name: url, schedule: { text: "weekly" }, targets: [{ type: "scrape", urls: [url] }] } },
    ],
  },
  "a monitor that changes": {
    screen: `monitors?id=${SCRAPE_ID}`,
    buttons: ["Change"],
    verb: "Save",
    typed: { "Schedule, in words or as cron": "0 7 * * *" },
    asks: [
      "PATCH /admin/api/monitors/{id}",
      { id: SCRAPE_ID },
      { schedule: { cron: "0 7 * * *", timezone: "UTC" } },
    ],
  },
  "a profile to import": {
    screen: "profiles",
    buttons: ["Import"],
    verb: "Import",
    async fill(dialog) {
      const buffer = Buffer.from(JSON.stringify(exported));
      const file = { name: "shop.profile.json", mimeType: "application/json", buffer };
      await dialog.locator("input[type=file]").setInputFiles(file);
      await dialog.getByLabel("Name").fill("imported");
    },
    asks: ["POST /admin/api/teams/{id}/profiles/{name}/import", { name: "imported" }],
  },
  "a profile to delete": {
    screen: "profiles",
    buttons: ["Delete shop"],
    verb: "Delete",
    asks: ["DELETE /admin/api/teams/{id}/profiles/{name}", { id: TEAM_ID, name: "shop" }],
  },
  "the pages of a host to purge": {
    screen: "cache",
    buttons: ["Purge https"],
    verb: "Purge",
    fill: (dialog) => dialog.getByLabel("All pages of example.com", { exact: true }).check(),
    asks: ["POST /admin/api/cache/purge", {}, { host: "example.com" }],
  },
  "another webhook secret": {
    screen: "jobs",
    buttons: ["Webhook secret", "New secret"],
    verb: "Make a new secret",
    asks: ["POST /admin/api/teams/{id}/webhook-secret"],
    done: (page) => page.getByRole("dialog").nth(1).waitFor({ state: "detached" }),
  },
  "terms of a tool": {
    screen: "tools",
    buttons: ["Read terms"],
    verb: "Accept for this team",
    asks: ["POST /admin/api/providers/{id}/terms", { id: "weather" }, { teamId: TEAM_ID }],
  },
};

const exported = example("GET /admin/api/teams/{id}/profiles/{name}/export");

interface Opened {
  readonly visit: ScreenVisit;
  readonly dialog: Locator;
  readonly send: Locator;
}

async function openForm(form: DialogForm, answers: Answers = {}): Promise<Opened> {
  const { masked: _, ...withoutSecrets } = example("GET /admin/api/requests/{id}").data;
  const visit = await screens.visit(`/dashboard/${form.screen}`, {
    "GET /admin/api/requests/{id}": ({ params: { id } }: Asked) => {
      const request = { ...withoutSecrets.request, id };
      return { success: true, data: { ...withoutSecrets, request, masked: [] } };
    },
    ...answers,
  });
  const { page } = visit;
  for (const name of form.buttons) await page.getByRole("button", { name }).last().click();
  const dialog = page.getByRole("dialog").last();
  for (const [label, text] of Object.entries(form.typed ?? {})) await dialog.getByLabel(label).fill(text);
  await form.fill?.(dialog);
  return { visit, dialog, send: dialog.getByRole("button", { name: form.verb, exact: true }).first() };
}

/** What is in the fields of a dialog. */
function filledIn(dialog: Locator): Promise<readonly string[]> {
  return dialog
    .locator("input:not([type=file]), select, textarea")
    .evaluateAll((fields) => fields.map((field) => JSON.stringify([field.value, field.checked])));
}

test("a restart under each dialog: it says so, keeps what was typed, and then asks for what was filled in", async () => {
  const opened = await Promise.all(Object.values(DIALOGS).map((form) => openForm(form)));
  const before = await Promise.all(opened.map(({ dialog }) => filledIn(dialog)));
  await screens.goAway();
  await Promise.all(
    opened.map(async ({ dialog, send, visit }) => {
      await send.click();
      await dialog
        .or(visit.page.locator(".toast"))
        .getByText("The service cannot be reached")
        .first()
        .waitFor();
    }),
  );
  await screens.comeBack();
  for (const [index, [name, form]] of Object.entries(DIALOGS).entries()) {
    const { visit, dialog, send } = opened[index] as Opened;
    await visit.page.getByText("The service does not respond.").waitFor({ state: "detached" });
    expect([name, await filledIn(dialog)]).toEqual([name, before[index]]);
    await send.click();
    await (form.done?.(visit.page) ?? dialog.waitFor({ state: "detached" }));
    const [asked, params = {}, body = {}] = form.asks;
    const [sent] = visit.sent(asked);
    expect([name, sent?.params, sent?.body]).toMatchObject([name, params, body]);
    const others = visit.complaints.filter((line) => !line.includes("net::ERR_"));
    expect([name, others]).toEqual([name, []]);
    await visit.page.context().close();
  }
});

test.each([
  ["an edited key", "This key was changed in the meantime"],
  ["an edited team", "This team was changed in the meantime"],
  ["changed settings", "The settings were changed in the meantime"],
])(
  "%s that another operator changed meanwhile is told, and nothing that was typed is lost",
  async (name, told) => {
    const form = DIALOGS[name] as DialogForm;
    const { visit, dialog, send } = await openForm(form, {
      [form.asks[0]]() {
        throw new ChangedMeanwhileError("Changed.");
      },
    });
    const before = await filledIn(dialog);
    await send.click();
    await dialog.getByRole("alert").getByText(told).waitFor();
    expect(await filledIn(dialog)).toEqual(before);
    const [sent] = visit.sent(form.asks[0]);
    expect(sent?.headers["if-match"]).toMatch(/^\w+$/);
  },
);

test("a service of models that is chosen by its name fills in its URL", async () => {
  const settings = example("GET /admin/api/settings");
  const [some] = settings.data.settings;
  const model = { ...some, name: "LLM_BASE_URL", part: "Language model", value: null, isSet: false };
  const { page, sent } = await screens.visit("/dashboard/settings", {
    "GET /admin/api/settings": { ...settings, data: { ...settings.data, settings: [model] } },
  });
  await page.getByRole("button", { name: "Change: Language model" }).click();
  const services = page.getByLabel("Known values of LLM_BASE_URL");
  const documented = readFileSync(new URL("../../docs/models.md", import.meta.url), "utf8");
  const rows = [...documented.matchAll(/^\| ([^|]+) \| `(http[^`]+)` \|/gm)].map((row) => row.slice(1));
  const shown = await services
    .locator("option")
    .evaluateAll((all) => all.map(({ text, value }) => [text, value]));
  expect(shown).toEqual([["Other", ""], ...rows]);
  await services.selectOption("Ollama");
  await page.getByRole("dialog").getByRole("button", { name: "Test and save" }).click();
  await expect
    .poll(() => sent("PATCH /admin/api/settings").map(({ body }) => body["changes"]))
    .toEqual([{ LLM_BASE_URL: "http://127.0.0.1:11434" }]);
});

test.each([
  ["It was: charge 5 credits", "charged", "Charged."],
  ["It was not: charge nothing", "released", "Released: nothing was charged."],
])("a call of unknown outcome is resolved by a click: %s", async (verb, outcome, told) => {
  const { page, sent } = await screens.visit("/dashboard/tools");
  await page.getByRole("button", { name: "Resolve " }).click();
  const dialog = page.getByRole("dialog", { name: "Was the provider called?" });
  await dialog.getByRole("button", { name: verb }).click();
  await page.getByText(told).waitFor();
  expect(sent("POST /admin/api/tool-requests/{id}/resolve").map(({ body }) => body)).toEqual([{ outcome }]);
});

test("a profile is saved as a file before it is deleted", async () => {
  const { page } = await screens.visit("/dashboard/profiles");
  await page.getByRole("button", { name: "Delete shop" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Export first" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("shop.profile.json");
});

test("long lists go on to the oldest: the ledger of a team, and the cache", async () => {
  const [entry] = example("GET /admin/api/teams/{id}/ledger").data;
  const [version] = example("GET /admin/api/cache").data;
  const pageOf = (rows: readonly object[], { query: { cursor } }: Asked) =>
    cursor === undefined
      ? { success: true, data: rows.slice(0, 200), cursor: "further" }
      : { success: true, data: rows.slice(200), cursor: null };
  const rows = Array.from({ length: 250 }, (_none, at) => ({ ...entry, id: `e${at}`, balance: 250 - at }));
  const { page } = await screens.visit("/dashboard/teams", {
    "GET /admin/api/teams/{id}/ledger": (asked: Asked) => pageOf(rows, asked),
    "GET /admin/api/cache": (asked: Asked) =>
      pageOf(
        rows.map(({ id }) => ({ ...version, id })),
        asked,
      ),
  });
  await page.getByRole("button", { name: "Ledger of Research" }).click();
  const left = page.getByRole("dialog").locator("tbody td:last-child");
  await page.getByRole("button", { name: "Show older entries" }).click();
  await expect.poll(() => left.count()).toBe(250);
  expect(await left.allTextContents()).toEqual(rows.map(({ balance }) => String(balance)));
  await page.goto(`${screens.url}/dashboard/cache`);
  await page.getByRole("button", { name: "Show older pages" }).click();
  await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(251);
});

test("of many teams one page is shown, the next on request, and the service finds each by its name", async () => {
  const [team] = example("GET /admin/api/teams").data;
  const all = Array.from({ length: 160 }, (_none, at) => ({
    ...team,
    teamId: `t${at}`,
    name: `Guild ${at}`,
  }));
  const { page, complaints } = await screens.visit("/dashboard/teams", {
    "GET /admin/api/teams"({ query: { limit, search, cursor } }: Asked) {
      const found = all.filter(({ name }) => name.toLowerCase().includes((search ?? "") as string));
      const first = Number(cursor ?? 0);
      const end = first + Number(limit);
      const data = found.slice(first, end);
      return { success: true, data, cursor: end < found.length ? String(end) : null };
    },
  });
  const rows = page.getByRole("region", { name: "Teams" }).locator("tbody tr");
  const search = page.getByRole("searchbox", { name: "Name or id of a team" });
  expect(await rows.count()).toBe(100);
  await search.fill("guild 152");
  await expect.poll(() => rows.count()).toBe(1);
  await search.fill("");
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByRole("button", { name: "Show more teams" }).click();
  await expect.poll(() => rows.count()).toBe(160);
  expect(complaints).toEqual([]);
});
