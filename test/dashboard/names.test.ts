import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { loseToolRequest } from "../lost-tool-request.ts";
import { makeTeam, operate } from "../operator.ts";
import { openSite, type Site } from "../site.ts";
import { accessibilityProblems, type Desk, OPENING_MS, openDesk, settle } from "./pages.ts";

let desk: Desk;
let provider: Site;
let folder: string;

beforeAll(async () => {
  provider = await openSite();
  provider.page("/look", (_request, response) => void response.end('{"colour":"verdigris"}'));
  folder = await mkdtemp(join(tmpdir(), "names-"));
  const file = join(folder, "providers.json");
  const capability = {
    description: "Looks a colour up.",
    options: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    creditsCost: 1,
    example: { word: "green" },
    request: { path: "/look" },
  };
  const colours = {
    kind: "http",
    id: "colours",
    name: "Colours",
    description: "What colours are called.",
    domains: ["colours.example"],
    base: provider.url("").replace(/\/$/, ""),
    capabilities: [
      { ...capability, id: "first" },
      { ...capability, id: "second" },
    ],
  };
  await writeFile(file, JSON.stringify({ providers: [colours] }));
  desk = await openDesk({ PROVIDERS_FILE: file });
}, OPENING_MS);

afterAll(async () => {
  await desk.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

test("a tool's button leads to the playground, with the tool chosen and an example filled in", async () => {
  await operate(desk.world, "PATCH teams/default", { flags: { providerTools: true } });
  const { page, complaints } = await desk.visit("/dashboard/tools");
  await settle(page);
  await page.getByRole("link", { name: "Try second" }).click();
  await page.getByRole("combobox", { name: "Tool", exact: true }).waitFor();
  const chosen = page.getByRole("combobox", { name: "Tool", exact: true }).locator("option:checked");
  expect(await chosen.innerText()).toBe("Colours: second");
  expect(await page.getByLabel("Word").inputValue()).toBe("green");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("region", { name: "Result" }).getByText("verdigris").waitFor();
  expect(complaints).toEqual([]);
});

test("calls of unknown outcome are resolved by a click: one is charged, the other is not", async () => {
  const { world } = desk;
  const team = await makeTeam(world, { name: "Lost", credits: 100, flags: { providerTools: true } });
  const calls = { provider: "colours", capability: "first", options: { word: "green" } };
  const lost: string[] = [];
  for (const name of ["one", "other"]) {
    await fetch(`${world.baseUrl}/v2/scrape`, {
      method: "POST",
      headers: { ...team.headers, "content-type": "application/json", "x-request-id": name },
      body: JSON.stringify({ alexandria: calls }),
    });
    const { body } = await operate(world, `GET tool-requests?team=${team.teamId}&limit=1`);
    const [newest] = body.data as unknown as readonly { readonly chargeId: string }[];
    lost.push(newest?.chargeId ?? "");
  }
  for (const id of lost) await loseToolRequest(world.dataDir, id);
  const before = await team.remaining();
  const { page, complaints } = await desk.visit("/dashboard/tools");
  await settle(page);
  const dialog = page.getByRole("dialog", { name: "Was the provider called?" });
  for (const [index, [verb, told]] of [
    ["It was: charge 1 credit", "Charged."],
    ["It was not: charge nothing", "Released: nothing was charged."],
  ].entries()) {
    const resolve = page.getByRole("button", { name: `Resolve ${lost[index]}` });
    await resolve.click();
    await dialog.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: verb ?? "" }).click();
    await page.getByText(told ?? "").waitFor();
    await resolve.waitFor({ state: "detached" });
  }
  expect(await team.remaining()).toBe(before - 1);
  const { body } = await operate(world, `GET tool-requests?team=${team.teamId}`);
  expect(body.data.map(({ state }) => state)).toEqual(["completed", "completed"]);
  expect(complaints).toEqual([]);
});
