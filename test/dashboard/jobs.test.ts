import { readFile } from "node:fs/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ZipEntries } from "../../packages/documents/src/archives/zip-entries.ts";

import { type AgentModel, call, done, startAgentModel } from "../agent-model.ts";
import { AgentClient } from "../agents.ts";
import { makeTeam, type TestTeam } from "../operator.ts";
import { RunClient, type RunDocument } from "../runs.ts";
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
let model: AgentModel;
let team: TestTeam;
let runs: RunClient;
/** Answers to pages that a test holds back, oldest first. */
const held: (() => void)[] = [];

/** Markup, a text that turns round, and what breaks no line, as a path and as words. */
const HOSTILE = `/<img src=x onerror=alert(1)>/\u202Egpj.exe/مرحبا/${"long".repeat(100)}`;

beforeAll(async () => {
  model = await startAgentModel();
  desk = await openDesk({ ...model.settings, HOST_CONCURRENCY: "50" });
  team = await makeTeam(desk.world, { name: "Research" });
  await makeTeam(desk.world, { name: "Other" });
  runs = new RunClient(desk.world, team.headers);
}, OPENING_MS);

afterAll(async () => {
  for (const release of held) release();
  await desk.close();
  model.close();
});

function page(path: string): string {
  return desk.world.site.page(encodeURI(path), htmlPage(`<main><h1>${encodeURI(path)}</h1></main>`));
}

/** A page that is answered once `held` says so. */
function heldPage(path: string): string {
  return desk.world.site.page(path, (_request, response) => {
    held.push(() => response.end(htmlPage(`<main><h1>${path}</h1></main>`)));
  });
}

test("without a job, the screen says how to start one", async () => {
  const { page: screen, complaints } = await desk.visit("/dashboard/jobs");
  await settle(screen);
  await screen.getByText("No job has been started").waitFor();
  await screen.getByText("/v2/batch/scrape").waitFor();
  await screen.getByRole("button", { name: "Copy command" }).click();
  expect(await screen.evaluate("navigator.clipboard.readText()")).toContain(
    `curl -sS '${desk.world.baseUrl}/v2/batch/scrape'`,
  );
  expect(complaints).toEqual([]);
});

test("a job is seen as it runs, opened, and cancelled", async () => {
  const { page: screen, complaints } = await desk.visit("/dashboard/jobs");
  await settle(screen);
  const id = await runs.batch({
    urls: [
      page("/docs/a"),
      page(HOSTILE),
      "http://127.0.0.1:9/gone",
      heldPage("/held/1"),
      heldPage("/held/2"),
    ],
  });
  const row = screen.getByRole("row").filter({ hasText: "Batch scrape" });
  await row.getByText("3 of 5").waitFor();
  await row.getByText("running").waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  await expect.poll(() => held.length).toBe(2);
  held[0]?.();
  await row.getByText("4 of 5").waitFor();

  await row.getByRole("link").first().click();
  await settle(screen);
  await screen.getByText("4 of 5").waitFor();
  await screen
    .getByRole("region", { name: "Why pages failed" })
    .getByText(/SCRAPE_/)
    .waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  for (const each of LOOKS) {
    await look(screen, each);
    expect.soft([each, await overflow(screen)]).toEqual([each, 0]);
  }
  await look(screen, LOOKS[0] ?? { width: 1360, colorScheme: "light" });

  const tree = screen.getByRole("list", { name: "Pages by folder" });
  await tree.getByText("docs/a").waitFor();
  await tree.getByText("2 done").or(tree.getByText("3 done")).first().waitFor();
  // Neither is run, and the direction of nothing is turned round.
  await tree.getByText("%3Cimg%20src=x%20onerror=alert(1)%3E").first().waitFor();
  await tree.getByText("1 running").first().waitFor();
  await screen.getByLabel("Result").selectOption("failed");
  await tree.getByText("gone", { exact: true }).waitFor();
  await expect.poll(() => tree.getByText("docs/a").count()).toBe(0);

  const [markdown] = await Promise.all([
    screen.waitForEvent("download"),
    screen.getByRole("link", { name: "Download Markdown" }).click(),
  ]);
  expect(markdown.suggestedFilename()).toBe(`batch_scrape-${id}.zip`);
  const zip = new ZipEntries(await readFile(await markdown.path()));
  const { port } = desk.world.site;
  expect(zip.text(`127.0.0.1_${port}/docs/a.md`, 1000)).toContain("# /docs/a");
  expect(zip.names()).toHaveLength(3);
  const [lines] = await Promise.all([
    screen.waitForEvent("download"),
    screen.getByRole("link", { name: "Download JSON lines" }).click(),
  ]);
  const documents = (await readFile(await lines.path(), "utf8")).trimEnd().split("\n");
  expect(documents.map((line) => (JSON.parse(line) as RunDocument).metadata.statusCode)).toEqual([
    200, 200, 200,
  ]);

  await screen.getByRole("button", { name: "Cancel job" }).click();
  await screen.getByRole("button", { name: "Cancel it" }).click();
  await screen.getByText("Cancelled. 3 documents stay.").waitFor();
  await screen.locator(".badge", { hasText: "cancelled" }).waitFor();
  expect(await screen.getByRole("button", { name: "Cancel job" }).count()).toBe(0);
  expect((await runs.ask(`GET /v2/batch/scrape/${id}`)).body.status).toBe("cancelled");
  expect(complaints).toEqual([]);
});

test("jobs are narrowed by team and state", async () => {
  const { page: screen, complaints } = await desk.visit("/dashboard/jobs");
  await settle(screen);
  await screen.getByText("Batch scrape ·").first().waitFor();
  await screen.getByLabel("State").selectOption("failed");
  await screen.getByText("No job fits").waitFor();
  await screen.getByLabel("State").selectOption("cancelled");
  await screen.getByText("Batch scrape ·").first().waitFor();
  await screen.getByLabel("Team").selectOption({ label: "Other" });
  await screen.getByText("No job fits").waitFor();
  await screen.getByLabel("Team").selectOption({ label: "Research" });
  await screen.getByText("Batch scrape ·").first().waitFor();
  expect(complaints).toEqual([]);
});

test("webhooks are seen, sent again, and signed with a secret that can be changed", async () => {
  const told = desk.world.site.page("/hook", (_request, response) => response.end());
  const id = await runs.batch({ urls: [page("/told")], webhook: told });
  await runs.endedBatch(id);
  const { page: screen, complaints } = await desk.visit(`/dashboard/jobs?id=${id}`);
  await settle(screen);
  await screen.getByText("3 delivered").waitFor();
  const before = desk.world.site.hits("/hook").length;
  await screen.getByRole("button", { name: /^Resend batch_scrape\.completed/ }).click();
  await screen.getByText("Resending.").waitFor();
  await expect.poll(() => desk.world.site.hits("/hook").length, { timeout: 20_000 }).toBe(before + 1);
  expect(await accessibilityProblems(screen)).toEqual([]);

  await screen.getByRole("button", { name: "All jobs" }).click();
  await screen.getByRole("button", { name: "Webhook secret" }).click();
  await screen.getByRole("dialog").getByLabel("Team").selectOption({ label: "Research" });
  const secret = screen.getByRole("dialog").locator("code");
  await expect.poll(() => secret.innerText()).toMatch(/^whsec_/);
  const first = await secret.innerText();
  expect(await accessibilityProblems(screen)).toEqual([]);
  await screen.getByRole("button", { name: "New secret" }).click();
  await screen.getByRole("button", { name: "Make a new secret" }).click();
  await expect.poll(() => secret.innerText()).not.toBe(first);
  expect(complaints).toEqual([]);
});

test("what an agent does is seen step by step, with the requests of its pages, and then its answer", async () => {
  const [first, second] = [page("/harbours"), heldPage("/held/tides")];
  const waiting = held.length;
  const question = `Which harbours are open? <b>bold</b>\u202Egpj.exe ${"long".repeat(60)}`;
  model.play("Which harbours", [
    call("scrape", { url: first }, { reason: HOSTILE, note: "Three of them." }),
    call("scrape", { url: second }),
    done({ harbours: ["Ostend"] }, { sources: [first] }),
  ]);
  const agents = new AgentClient(desk.world, team.headers);
  const id = await agents.start({ prompt: question, schema: { type: "object" } });
  const { page: screen, complaints } = await desk.visit("/dashboard/jobs");
  await settle(screen);
  const row = screen.getByRole("row").filter({ hasText: "Agent" });
  await row.getByRole("link", { name: /^Which harbours are open\? <b>bold/ }).click();
  await settle(screen);

  const steps = screen.getByRole("region", { name: "Steps" });
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(waiting + 1);
  await steps.getByText("because of").or(steps.getByText("Noted: Three of them.")).first().waitFor();
  await screen.getByRole("region", { name: "Progress" }).getByText("1 step", { exact: true }).waitFor();
  expect(await steps.getByRole("row").count()).toBe(2);
  expect(await screen.getByRole("region", { name: "Answer" }).count()).toBe(0);
  expect(await screen.getByRole("link", { name: "Download Markdown" }).count()).toBe(0);
  held[waiting]?.();
  const answer = screen.getByRole("region", { name: "Answer" });
  await answer.getByText('"Ostend"').waitFor();
  await answer.getByText(first).waitFor();
  await expect.poll(() => steps.getByRole("row").count()).toBe(4);
  await screen.locator(".badge", { hasText: "completed" }).waitFor();
  expect(await accessibilityProblems(screen)).toEqual([]);
  for (const each of LOOKS) {
    await look(screen, each);
    expect.soft([each, await overflow(screen)]).toEqual([each, 0]);
  }
  await look(screen, { width: 390, colorScheme: "dark" });
  expect(await accessibilityProblems(screen)).toEqual([]);
  await look(screen, LOOKS[0] ?? { width: 1360, colorScheme: "light" });

  const { creditsUsed } = await agents.ended(id);
  await screen.getByText(`${creditsUsed} credits`, { exact: true }).waitFor();
  await steps.getByRole("link", { name: "Request" }).first().click();
  await settle(screen);
  await screen.getByText("/harbours").first().waitFor();
  expect(complaints).toEqual([]);
}, 120_000);
