import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { KEYED } from "../operator.ts";
import { openWorld } from "../world.ts";
import {
  accessibilityProblems,
  look,
  OPENING_MS,
  openDesk,
  OPPOSITE_LOOKS,
  overflow,
  settle,
  tabTo,
} from "./pages.ts";

test(
  "open pages tell that the service is away, and go on by themselves when it is back",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "restart-"));
    const desk = await openDesk({ DATA_DIR: folder });
    const pages = await Promise.all(
      OPPOSITE_LOOKS.map(async (how) => {
        const { page } = await desk.visit("/dashboard");
        await look(page, how);
        await settle(page);
        await page.getByText("Pages in progress").waitFor();
        return page;
      }),
    );
    const { port } = new URL(desk.world.baseUrl);
    await desk.world.close();
    for (const page of pages) {
      await page.getByText("The service does not respond.").waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    const again = await openWorld({ ...KEYED, DATA_DIR: folder, PORT: port });
    for (const page of pages) {
      await page.getByText("The service does not respond.").waitFor({ state: "detached" });
      expect(await page.getByRole("heading", { name: "Overview" }).count()).toBe(1);
      // Who was logged in is so still, and goes on by keyboard.
      await tabTo(page, /^Playground/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
      await page.context().close();
    }
    await again.close();
    await desk.close();
    await rm(folder, { recursive: true, force: true });
  },
  OPENING_MS,
);
