import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KEYED, operate } from "../operator.ts";
import { openWorld } from "../world.ts";
import { type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

let desk: Desk;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restart-in-dialogs-"));
  desk = await openDesk({ DATA_DIR: folder });
  await operate(desk.world, "POST teams/default/keys", { name: "edited" });
  await operate(desk.world, "POST teams/default/keys", { name: "rotated" });
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

interface DialogForm {
  readonly screen: string;
  readonly button: string;
  readonly verb: string;
  /** Label → what is typed. */
  readonly typed: Readonly<Record<string, string>>;
  done(page: Page, dialog: Locator): Promise<void>;
}

const DIALOGS: readonly DialogForm[] = [
  {
    screen: "keys",
    button: "Edit edited",
    verb: "Save",
    typed: { Name: "edited during a restart" },
    done: (page) => page.getByRole("row", { name: "edited during a restart" }).waitFor(),
  },
  {
    screen: "keys",
    button: "Rotate rotated",
    verb: "Rotate",
    typed: {},
    done: (page) => page.getByRole("button", { name: "I have copied it" }).waitFor(),
  },
  {
    screen: "settings",
    button: "Change: Scraping",
    verb: "Test and save",
    typed: { BLOCKED_DOMAINS: "blocked.test" },
    done: (_page, dialog) => dialog.waitFor({ state: "detached" }),
  },
];

test(
  "a restart under a dialog: it says so, keeps what was typed, and finishes afterwards",
  async () => {
    const pages: Page[] = [];
    for (const form of DIALOGS) {
      const { page } = await desk.visit(`/dashboard/${form.screen}`);
      await settle(page);
      await page.getByRole("button", { name: form.button, exact: true }).click();
      for (const [label, text] of Object.entries(form.typed))
        await page.getByRole("dialog").getByLabel(label).fill(text);
      pages.push(page);
    }
    const { port } = new URL(desk.world.baseUrl);
    await desk.world.close();
    const of = (index: number) => {
      const form = DIALOGS[index] as DialogForm;
      const dialog = (pages[index] as Page).getByRole("dialog");
      return { form, dialog, send: dialog.getByRole("button", { name: form.verb, exact: true }) };
    };
    for (const index of pages.keys()) {
      const { dialog, send } = of(index);
      await send.click();
      await dialog.getByText("The service cannot be reached").waitFor();
    }
    const again = await openWorld({ ...KEYED, DATA_DIR: folder, PORT: port });
    for (const [index, page] of pages.entries()) {
      const { form, dialog, send } = of(index);
      await page.getByText("The service does not respond.").waitFor({ state: "detached" });
      for (const [label, text] of Object.entries(form.typed))
        expect(await dialog.getByLabel(label).inputValue()).toBe(text);
      await send.click();
      await form.done(page, dialog);
      await page.context().close();
    }
    const { body } = await operate(again, "GET settings");
    expect(JSON.stringify(body)).toContain("blocked.test");
    await again.close();
  },
  OPENING_MS,
);
