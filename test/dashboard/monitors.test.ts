import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import {
  accessibilityProblems,
  type Desk,
  look,
  LOOKS,
  OPENING_MS,
  openDesk,
  overflow,
  settle,
} from "./pages.ts";

let desk: Desk;
let team: TestTeam;

/** Markup, and a text that turns round. */
const HOSTILE = "<img src=x onerror=alert(1)>\u202Egpj.exe";

beforeAll(async () => {
  desk = await openDesk();
  team = await makeTeam(desk.world, { name: "Research" });
}, OPENING_MS);

afterAll(() => desk.close());

function page(text: string): string {
  const escaped = text.replaceAll("<", "&lt;");
  return desk.world.site.page("/prices", htmlPage(`<main><h1>Prices</h1><p>${escaped}</p></main>`));
}

test("a monitor is made from a scrape with two clicks, run, and its changes stand side by side", async () => {
  const url = page("One anvil costs 10 crowns.");
  await team.scrape({ url, formats: ["markdown", "screenshot"] });
  const { page: screen, complaints } = await desk.visit("/dashboard/monitors");
  await settle(screen);
  await screen.getByText("No monitors").waitFor();

  await screen.getByRole("button", { name: "New monitor" }).click();
  await screen.getByRole("button", { name: /^Watch / }).click();
  await screen.getByText("No check has run yet").waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);

  await screen.getByRole("button", { name: "Run now" }).click();
  await screen.getByRole("row").getByText("Completed").waitFor();
  page(`One anvil costs 12 crowns. ${HOSTILE}`);
  await screen.getByRole("button", { name: "Run now" }).click();
  await expect.poll(() => screen.getByRole("row").getByText("Completed").count()).toBe(2);
  await screen.getByRole("row").filter({ hasText: "1 changed" }).getByRole("link").click();
  await settle(screen);
  await screen.getByRole("cell", { name: "removed: One anvil costs 10 crowns." }).waitFor();
  await screen.getByRole("cell", { name: /added: One anvil costs 12 crowns/ }).waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  for (const each of LOOKS) {
    await look(screen, each);
    expect.soft([each, await overflow(screen)]).toEqual([each, 0]);
  }
  await look(screen, LOOKS[0] ?? { width: 1360, colorScheme: "light" });
  await screen.getByRole("button", { name: "Compare screenshots" }).click();
  await screen.getByRole("img", { name: "Later screenshot" }).waitFor();

  await screen.getByRole("button", { name: "‹ All checks" }).click();
  await screen.getByRole("button", { name: "Pause" }).click();
  await screen.getByText("paused", { exact: true }).waitFor();
  await screen.getByRole("button", { name: "‹ All monitors" }).click();
  await settle(screen);
  await screen.getByRole("img", { name: "Changes in 2 of the last 2 checks" }).waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  for (const each of LOOKS) {
    await look(screen, each);
    expect.soft([each, await overflow(screen)]).toEqual([each, 0]);
  }
  await look(screen, LOOKS[0] ?? { width: 1360, colorScheme: "light" });
  await screen.getByRole("link", { name: /prices/ }).click();
  await screen.getByRole("button", { name: "Delete" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await screen.getByText("No monitors").waitFor();
  expect(complaints).toEqual([]);
});
