import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { startSoakService } from "./service-process.ts";
import { soakFor } from "./soak-for.ts";

const folder = testFolder();

async function startProgram(source: string) {
  const program = join(folder, "program.mjs");
  await writeFile(program, `${source}; console.log("listening on http://127.0.0.1:9");`);
  return startSoakService({ command: [program], dataDir: folder });
}

test.runIf(process.platform === "linux")(
  "a service that has ended by itself is told with its last words",
  async () => {
    const service = await startProgram(`setTimeout(() => { throw new Error("out of luck"); }, 50)`);
    await expect.poll(() => existsSync(`/proc/${service.pid}`), { timeout: 10_000 }).toBe(false);
    await expect(service.kill()).rejects.toThrow(/ended by itself.*out of luck/s);
  },
);

test("a service that was asked to end is not complained about", async () => {
  const service = await startProgram(
    `process.once("SIGTERM", () => process.exit()); setInterval(Date, 1000)`,
  );
  await service.stop();
  await expect(service.kill()).resolves.toBeUndefined();
});

test("a soak runs once, or again and again for as long as it is asked to", async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    await pause(10);
  };
  await soakFor(0, run);
  expect(runs).toBe(1);
  const startMs = performance.now();
  // A busy machine may be late with a run, not with a second of them.
  await soakFor(1000, run);
  expect(runs).toBeGreaterThan(2);
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(1000);
});
