import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import { Outgoing } from "../../packages/server/src/api/outgoing.ts";
import { findCarriedBrowser } from "../../packages/browser/src/browser.suite.ts";
import { accessibilityProblems, settle, until } from "./pages.ts";
import { drawPicturePage } from "./picture-page.ts";
import { answers, nodesAnswer, NOW, seconds } from "./picture-answers.ts";
import { type Screens, sharedScreens } from "./screens.ts";

const PICTURES = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Share of the pixels that may look different. */
const TOLERANCE = 0.001;
/** Of 255, by which a colour counts as another one. */
const COLOUR_TOLERANCE = 24;

/** `UPDATE_PICTURES=1 npx vitest run test/dashboard/pictures` takes them anew: look at them beside the old ones. */
const isUpdate = process.env["UPDATE_PICTURES"] === "1";

/** Name of a picture → where it is taken, and what is done before. */
const SCENES: Readonly<Record<string, readonly [path: string, act?: (page: Page) => Promise<void>]>> = {
  overview: ["/dashboard", (page) => page.locator(".u-over").waitFor()],
  nodes: [
    "/dashboard",
    async (page) => {
      await page.route("**/admin/api/nodes", (route) => route.fulfill({ json: nodesAnswer }));
      await page.reload();
      const panel = page.getByRole("region", { name: "Nodes" });
      await panel.getByText("1,284").waitFor();
      await panel.scrollIntoViewIfNeeded();
      expect(await accessibilityProblems(page)).toEqual([]);
    },
  ],
  playground: [
    "/dashboard/playground?url=https%3A%2F%2Fjournals.example%2Flichens-2026.pdf",
    async (page) => {
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("tab", { name: "Blocks" }).click();
      await page.locator(".sheet [data-block='p1.b7']").click();
      await page.locator(".spent").waitFor();
      await until(page, "document.querySelector('.sheet img')?.naturalHeight > 0");
      await page.mouse.move(0, 0);
    },
  ],
  requests: [
    "/dashboard/requests?id=01993a7e-52c1-7d30-8a00-000000000001",
    (page) => page.locator(".diff").waitFor(),
  ],
  usage: ["/dashboard/usage", (page) => page.locator(".u-over").waitFor()],
  keys: ["/dashboard/keys"],
  settings: ["/dashboard/settings"],
};

const found = await findCarriedBrowser();
let screens: Screens;
let pageImage: Outgoing;

// Another browser draws letters a little differently.
describe.skipIf(found?.source !== "bundled")("as a picture", () => {
  beforeAll(async () => {
    screens = await sharedScreens();
    pageImage = new Outgoing(await drawPicturePage(), { type: "image/png" });
  });

  test.each(["light", "dark"].flatMap((theme) => Object.keys(SCENES).map((name) => [name, theme] as const)))(
    "%s in %s looks as it did",
    async (name, theme) => {
      const page = await openPage(theme as "light" | "dark");
      const [path, act] = SCENES[name] ?? [""];
      await page.goto(screens.url + path);
      await settle(page);
      await act?.(page);
      const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
      await page.context().close();
      const file = `${PICTURES}${name}-${theme}.png`;
      if (isUpdate || !existsSync(file)) {
        await mkdir(PICTURES, { recursive: true });
        await sharp(taken).png({ compressionLevel: 9, effort: 10 }).toFile(file);
      }
      expect(await differenceOf(taken, await readFile(file))).toBeLessThanOrEqual(TOLERANCE);
    },
  );
});

/** A blank page whose answers, time and events are always the same. */
async function openPage(colorScheme: "light" | "dark"): Promise<Page> {
  const { page } = await screens.visit(
    "/healthz",
    { ...answers, "GET /admin/api/requests/{id}/pages/{n}.png": pageImage },
    { look: { width: 1360, colorScheme }, isUnsettled: true },
  );
  await page.clock.setFixedTime(NOW);
  await page.addInitScript(
    `globalThis.EventSource = class extends EventTarget {
      constructor() {
        super();
        setTimeout(() => {
          for (const data of ${JSON.stringify(seconds.map((second) => JSON.stringify(second)))})
            this.dispatchEvent(new MessageEvent("status", { data }));
        }, 0);
      }
      close() {}
    };`,
  );
  return page;
}

/** Share of the pixels that look different. */
async function differenceOf(taken: Buffer, kept: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [taken, kept].map((image) => sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (!a || !b || a.data.length !== b.data.length) return 1;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 3) {
    const distance = Math.max(
      ...[0, 1, 2].map((channel) => Math.abs((a.data[at + channel] ?? 0) - (b.data[at + channel] ?? 0))),
    );
    if (distance > COLOUR_TOLERANCE) different += 1;
  }
  return different / (a.data.length / 3);
}
