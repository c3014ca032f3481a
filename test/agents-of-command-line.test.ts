import { Command } from "commander";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { callerOf } from "../packages/server/src/accounts/callers.ts";
import { openAgentsOver } from "../packages/server/src/agent/bench.ts";
import { addAgentCommand } from "../packages/server/src/agent/command.ts";
import type { Program } from "../packages/server/src/cli/program.ts";
import { type AgentModel, call, done, NEVER, startAgentModel } from "./agent-model.ts";
import { AgentClient, chargedOf } from "./agents.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

/** With a server beside, on the same data. */
let world: World;
let model: AgentModel;
let page: string;
let printed = "";
let told = "";

beforeAll(async () => {
  model = await startAgentModel();
  world = await openWorld(model.settings);
  page = world.site.page(
    "/ships",
    htmlPage("<title>Ships\u0007</title><main><p>Anna carries 1200 tonnes.</p></main>"),
  );
});

afterEach(() => {
  process.exitCode = 0;
  [printed, told] = ["", ""];
});

/** `pergamon agent …` in this process. */
async function agent(...parameters: readonly string[]): Promise<void> {
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told += String(text);
    return true;
  });
  const { families, team } = world.app;
  const bench = { ...openAgentsOver(families.jobs, callerOf(team)), close: async () => undefined };
  const cli = new Command().exitOverride();
  addAgentCommand(cli, () => ({ openAgents: async () => bench }) as unknown as Program);
  try {
    await cli.parseAsync(["node", "pergamon", "agent", ...parameters]);
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

test("steps are told as they come, and the answer is printed", async () => {
  model.play("ships", [call("scrape", { url: page }), done({ ship: "Anna" }, { sources: [page] })]);
  await agent("which", "ships");
  expect(JSON.parse(printed)).toEqual({ ship: "Anna" });
  expect(told).toContain(`1. scrape {"url":"${page}"}: 200, `);
  expect(told).toContain(`Source: ${page}`);
  expect(told).toContain("3 credits, completed. Continue: npx pergamon agent --thread ");
  expect(told).not.toContain("\u0007");
  expect(process.exitCode ?? 0).toBe(0);
});

test("a chat goes on in its thread, and a failure says why", async () => {
  model.play("first", [done("Hello.")]);
  model.play("second", [{ tool: "done", input: { success: false, answer: "no" } }]);
  await agent("first", "--chat");
  expect(printed).toBe("Hello.\n");
  const [, thread = ""] = /--thread (\S+)/.exec(told) ?? [];
  told = "";
  await agent("second", "--thread", thread, "--request", "/dev/null").catch(
    (failure: unknown) => (told = String(failure)),
  );
  expect(told).not.toBe("");
  await agent("second", "--thread", thread);
  expect(told).toContain("1 credit, completed");
});

test("Ctrl-C cancels the run", async () => {
  model.play("endless", [call("scrape", { url: page }), NEVER]);
  const running = agent("endless", "--effort", "low");
  await expect.poll(() => told).toContain("1. scrape");
  // The newest listener alone: other test files of this process may have theirs.
  process.listeners("SIGINT").at(-1)?.("SIGINT");
  await running;
  expect(process.exitCode).toBe(130);
  expect(told).toContain("2 credits, cancelled");
  const agents = new AgentClient(world);
  const [last] = (await agents.ask("GET /v2/agent")).body.agents;
  expect(await agents.ended(last?.id ?? "")).toMatchObject({ status: "cancelled", creditsUsed: 2 });
  expect(await chargedOf(world, last?.id ?? "")).toBe(0);
});
