import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KEYED, makeTeam, operate } from "../operator.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { openWorld } from "../world.ts";
import { type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

let desk: Desk;
let folder: string;
/** Outlives the service. */
let site: Site;
let url: string;
let settings: Readonly<Record<string, string>>;
let requestId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restart-in-dialogs-"));
  settings = { DATA_DIR: join(folder, "data"), PROFILE_SAVE_ON_SCRAPE: "true" };
  [site, desk] = await Promise.all([openSite(), openDesk(settings)]);
  url = site.page("/prices", (_request, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      "set-cookie": "login=kept; path=/; max-age=3600",
    });
    response.end(htmlPage("<main><h1>Prices</h1><p>One anvil costs 10 crowns.</p></main>"));
  });
  await prepare();
}, OPENING_MS);

afterAll(async () => {
  await Promise.all([desk.close(), site.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** Something for each dialog to be about. */
async function prepare(): Promise<void> {
  const { world } = desk;
  for (const name of ["edited", "rotated", "revoked"])
    await operate(world, "POST teams/default/keys", { name });
  await makeTeam(world, { name: "Erased" });
  const team = await makeTeam(world, { name: "Research" });
  const { body } = await team.scrape({ url });
  requestId = body.data.metadata.scrapeId;
  await operate(world, `POST requests/${requestId}/monitor`, { schedule: "hourly" });
  await team.scrape({
    url,
    maxAge: 0,
    profile: { name: "shop" },
    actions: [{ type: "wait", milliseconds: 1 }],
  });
  const exported = await operate(world, `GET teams/${team.teamId}/profiles/shop/export`);
  await writeFile(join(folder, "shop.profile.json"), JSON.stringify(exported.body));
}

interface DialogForm {
  readonly screen: string;
  /** The buttons that lead to the dialog. */
  readonly buttons: readonly string[];
  readonly verb: string | RegExp;
  /** Label → what is typed. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What else is done before it is sent. */
  fill?(dialog: Locator): Promise<unknown>;
  /** It asks nothing of the service. */
  readonly isLocal?: true;
  done(page: Page, dialog: Locator): Promise<unknown>;
}

const gone = (_page: Page, dialog: Locator) => dialog.waitFor({ state: "detached" });
const rowGone = (name: string | RegExp) => (page: Page) =>
  page.getByRole("row", { name }).waitFor({ state: "detached" });
const row = (name: string) => (page: Page) => page.getByRole("row", { name }).waitFor();

const DIALOGS = (): readonly DialogForm[] => [
  {
    screen: "keys",
    buttons: ["Edit edited"],
    verb: "Save",
    typed: { Name: "edited during a restart" },
    done: row("edited during a restart"),
  },
  {
    screen: "keys",
    buttons: ["Rotate rotated"],
    verb: "Rotate",
    done: (page) => page.getByRole("button", { name: "I have copied it" }).waitFor(),
  },
  { screen: "keys", buttons: ["Revoke revoked"], verb: "Revoke", done: gone },
  {
    screen: "settings",
    buttons: ["Change: Scraping"],
    verb: "Test and save",
    typed: { BLOCKED_DOMAINS: "blocked.test" },
    done: gone,
  },
  {
    screen: "teams",
    buttons: ["New team"],
    verb: "Create team",
    typed: { Name: "Made during a restart", Credits: "7" },
    done: row("Made during a restart"),
  },
  {
    screen: "teams",
    buttons: ["Edit Erased", "Delete team"],
    verb: "Delete team",
    done: rowGone("Erased"),
  },
  {
    screen: `requests?id=${requestId}`,
    buttons: ["Replay with changes"],
    verb: "Run again",
    typed: { "Request to run": JSON.stringify({ url, formats: ["markdown", "links"] }) },
    done: gone,
  },
  {
    screen: "requests?result=failed",
    buttons: ["Save view"],
    verb: "Save",
    typed: { Name: "what failed" },
    isLocal: true,
    done: (page) => page.getByLabel("Saved view").waitFor(),
  },
  {
    screen: "monitors",
    buttons: ["New monitor"],
    verb: `Watch ${url}`,
    fill: (dialog) => dialog.getByLabel("Schedule").selectOption("weekly"),
    done: (page) => page.getByText("No check has run yet").waitFor(),
  },
  {
    screen: "profiles",
    buttons: ["Import"],
    verb: "Import",
    fill: async (dialog) => {
      await dialog.locator("input[type=file]").setInputFiles(join(folder, "shop.profile.json"));
      await dialog.getByLabel("Name").fill("imported");
    },
    done: row("imported"),
  },
  { screen: "profiles", buttons: ["Delete shop"], verb: "Delete", done: rowGone(/^shop/) },
  {
    screen: "cache",
    buttons: [`Purge ${url}`],
    verb: "Purge",
    fill: (dialog) => dialog.getByRole("checkbox").check(),
    done: gone,
  },
  {
    screen: "jobs",
    buttons: ["Webhook secret", "New secret"],
    verb: "Make a new secret",
    done: (page) => page.getByRole("dialog").nth(1).waitFor({ state: "detached" }),
  },
];

interface OpenedForm {
  readonly form: DialogForm;
  readonly page: Page;
  readonly dialog: Locator;
  readonly send: Locator;
}

async function openForm(form: DialogForm): Promise<OpenedForm> {
  const { page } = await desk.visit(`/dashboard/${form.screen}`);
  await settle(page);
  for (const name of form.buttons) await page.getByRole("button", { name, exact: true }).first().click();
  const dialog = page.getByRole("dialog").last();
  for (const [label, text] of Object.entries(form.typed ?? {})) await dialog.getByLabel(label).fill(text);
  await form.fill?.(dialog);
  return { form, page, dialog, send: dialog.getByRole("button", { name: form.verb, exact: true }).first() };
}

/** What is in the fields of a dialog. */
function filledIn(dialog: Locator): Promise<readonly string[]> {
  return dialog
    .locator("input:not([type=file]), select, textarea")
    .evaluateAll((fields) => fields.map((field) => JSON.stringify([field.value, field.checked])));
}

test(
  "a restart under a dialog: it says so, keeps what was typed, and finishes afterwards",
  async () => {
    const opened = await Promise.all(DIALOGS().map(openForm));
    const { port } = new URL(desk.world.baseUrl);
    const before = await Promise.all(opened.map(({ dialog }) => filledIn(dialog)));
    await desk.world.close();
    await Promise.all(
      opened.map(async ({ form, dialog, send }) => {
        if (form.isLocal) return;
        await send.click();
        await dialog.getByText("The service cannot be reached").waitFor();
      }),
    );
    const again = await openWorld({ ...KEYED, ...settings, PORT: port });
    await Promise.all(
      opened.map(async ({ form, page, dialog, send }, index) => {
        await page.getByText("The service does not respond.").waitFor({ state: "detached" });
        expect([form.buttons, await filledIn(dialog)]).toEqual([form.buttons, before[index]]);
        await send.click();
        await form.done(page, dialog);
        await page.context().close();
      }),
    );
    const { body } = await operate(again, "GET settings");
    expect(JSON.stringify(body)).toContain("blocked.test");
    const monitors = await operate(again, "GET monitors");
    expect(monitors.body.data).toHaveLength(2);
    await again.close();
  },
  OPENING_MS,
);
