import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { KEYED } from "../operator.ts";
import { openWorld } from "../world.ts";
import { OPENING_MS, openDesk, settle } from "./pages.ts";

test(
  "an open page tells that the service is away, and goes on by itself when it is back",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "restart-"));
    const desk = await openDesk({ DATA_DIR: folder });
    const { page } = await desk.visit("/dashboard");
    await settle(page);
    await page.getByText("Pages under way").waitFor();
    const { port } = new URL(desk.world.baseUrl);
    await desk.world.close();
    await page.getByText("The service does not answer.").waitFor();
    const again = await openWorld({ ...KEYED, DATA_DIR: folder, PORT: port });
    await page.getByText("The service does not answer.").waitFor({ state: "detached" });
    expect(await page.getByRole("heading", { name: "Overview" }).count()).toBe(1);
    await page.context().close();
    await again.close();
    await desk.close();
    await rm(folder, { recursive: true, force: true });
  },
  OPENING_MS,
);
