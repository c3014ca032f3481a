import { beforeAll, expect, test } from "vitest";

import { ofTestFile } from "../../packages/kit/src/test-file.suite.ts";
import { makeTeam, operate } from "../operator.ts";
import { RunClient } from "../runs.ts";
import { type FullDesk, openFullDesk } from "./full-world.ts";
import { askNumbers, followNumbers, QUESTIONS } from "./numbers.ts";
import { OPENING_MS } from "./pages.ts";

const SCREENS = new Set(["", "/requests", "/usage", "/teams"]);

let desk: FullDesk;

beforeAll(async () => {
  desk = ofTestFile.add(await openFullDesk(2), (opened) => opened.close());
}, 2 * OPENING_MS);

test(
  "figures of requests and credits equal the log and the ledger, and lead to lists of their length",
  async () => {
    const { page, complaints } = await desk.visit("/dashboard");
    const questions = QUESTIONS.filter(({ path }) => SCREENS.has(path));
    expect(await askNumbers(desk, page, questions)).toEqual([]);
    expect(await followNumbers(desk, page, ["", "/usage?by=team"])).toEqual([]);
    await page.goto(`${desk.world.baseUrl}/dashboard/tools`);
    await page
      .getByRole("row", { name: /shop\.broken/ })
      .getByText("failed")
      .waitFor();
    expect(complaints).toEqual([]);
  },
  2 * OPENING_MS,
);

/** A busy machine indexes pages late. */
const PATIENCE = { timeout: 60_000 };
/** Kinds of requests → a part of what was asked, and one of the answer. */
const SHOWN = {
  map: ['"url"', "page/1"],
  search: ['"query"', "A site"],
  // What a tool is given may be a secret.
  tool: ["The body is not stored", '"said"'],
} as const;

test(
  "what maps, searches and tools were asked and answered is shown, and run again; a tool that failed in part says so",
  async () => {
    const { world } = desk;
    const team = await makeTeam(world, { credits: 100, flags: { providerTools: true } });
    const asker = new RunClient(world, team.headers);
    const url = world.site.url("/");
    // Another team's copy is not searched by this one.
    await team.scrape({ url, formats: ["markdown"], maxAge: 0 });
    await asker.ask("POST /v2/map", { url });
    await expect
      .poll(async () => (await asker.ask("POST /v2/search", { query: "site" })).body.data, PATIENCE)
      .toMatchObject({ web: [{ url }] });
    const call = (capability: string) => ({ provider: "shop", capability, options: { word: "a" } });
    await world.scrape({ alexandria: [call("say"), call("broken")] }, team.headers);
    const { page, complaints } = await desk.visit("/dashboard");
    const idsOf = async (kind: string) =>
      (await operate(world, `GET requests?team=${team.teamId}&kind=${kind}`)).body.data.map(({ id }) =>
        String(id),
      );
    for (const [kind, [asked, answered]] of Object.entries(SHOWN)) {
      const [id] = await idsOf(kind);
      await page.goto(`${world.baseUrl}/dashboard/requests?id=${id}&tab=answer`);
      const drawer = page.locator(".drawer");
      await drawer.getByText("Whole response").click();
      await drawer.getByText(answered).first().waitFor();
      await drawer.getByRole("tab", { name: "Request", exact: true }).click();
      await drawer.getByText(asked).waitFor();
      if (kind === "tool") await drawer.getByText("partial").first().waitFor();
      else await drawer.getByRole("button", { name: "Replay", exact: true }).click();
    }
    await expect.poll(async () => (await idsOf("map")).length, PATIENCE).toBe(2);
    await expect.poll(async () => (await idsOf("search")).length, PATIENCE).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  },
  2 * OPENING_MS,
);
