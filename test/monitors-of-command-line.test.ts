import { Command } from "commander";
import { afterEach, expect, test, vi } from "vitest";

import { callerOf } from "../packages/server/src/accounts/callers.ts";
import { addMonitorCommand } from "../packages/server/src/monitor/command.ts";
import { monitor as monitorKind } from "../packages/server/src/monitor/monitor.ts";
import type { Program } from "../packages/server/src/cli/program.ts";
import { MonitorClient } from "./monitors.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

/** With a server beside, on the same data. */
const world = useWorld();
let printed = "";

afterEach(() => {
  printed = "";
});

/** `pergamon monitor …` in this process. */
async function monitor(...parameters: readonly string[]): Promise<string> {
  const { desk } = monitorKind.at(world.app.families.jobs);
  const who = { caller: callerOf(world.app.team), linkBase: world.baseUrl };
  const bench = {
    create: (body: object) => desk.create(body, who),
    list: (limit: number) => desk.list({ limit, offset: 0 }, who),
    change: (id: string, body: object) => desk.change(id, body, who),
    run: (id: string) => desk.run(id, who),
    checks: (id: string, limit: number) => desk.checks(id, { limit, offset: 0 }, who),
    check: (id: string, checkId: string) => desk.check(id, checkId, { limit: 100, skip: 0 }, who),
    remove: (id: string) => desk.remove(id, who),
    close: async () => undefined,
  };
  const cli = new Command().exitOverride();
  addMonitorCommand(cli, () => ({ openMonitors: async () => bench }) as unknown as Program);
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    printed = "";
    await cli.parseAsync(["node", "pergamon", "monitor", ...parameters]);
    return printed;
  } finally {
    write.mockRestore();
  }
}

test("a monitor is made, run, looked at, paused and deleted", async () => {
  const url = world.site.page("/watched", htmlPage("<main><h1>Prices</h1><p>It costs 10.</p></main>"));
  const options = ["--name", "Anvils", "--schedule", "daily at 9:00", "--timezone", "Europe/Berlin"];
  const made = await monitor("create", url, ...options);
  const [id = ""] = made.split("  ");
  expect(made).toMatch(/^[0-9a-f-]{36} {2}active {2}0 9 \* \* \* Europe\/Berlin, next \S+ {2}Anvils\n$/);
  expect(await monitor("list")).toBe(made);
  const monitors = new MonitorClient(new RunClient(world));
  await monitors.check(id);
  world.site.page("/watched", htmlPage("<main><h1>Prices</h1><p>It costs 12.</p></main>"));
  const [checkId = ""] = (await monitor("run", id)).split("  ");
  await monitors.ended(id, checkId);
  expect((await monitor("checks", id)).split("\n")[0]).toContain("completed");
  const shown = await monitor("check", id, checkId);
  expect(shown).toContain(`changed  ${url}`);
  expect(shown).toContain("+It costs 12.");
  expect(JSON.parse(await monitor("check", id, checkId, "--json"))).toMatchObject({
    summary: { changed: 1 },
  });
  expect(await monitor("pause", id)).toContain("paused");
  expect(await monitor("resume", id)).toContain("active");
  expect(await monitor("delete", id)).toBe(`Deleted ${id}.\n`);
  expect(await monitor("list")).toBe("");
});

test("a crawl is watched by its site, with a goal and who is told", async () => {
  const more = [
    "--cron",
    "0 6 * * 1",
    "--goal",
    "Prices",
    "--webhook",
    "http://127.0.0.1:1/hook",
    "--email",
    "a@b.test, c@d.test",
  ];
  const made = await monitor("create", `${world.baseUrl}/docs/`, "--crawl", ...more, "--json");
  expect(JSON.parse(made)).toMatchObject({
    targets: [{ type: "crawl" }],
    schedule: { cron: "0 6 * * 1" },
    goal: "Prices",
    notification: { email: { enabled: true, recipients: ["a@b.test", "c@d.test"] } },
  });
  await expect(monitor("run", "nonsense")).rejects.toThrow("Invalid UUID");
});
