import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { openWorld } from "./world.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const UNIT = join(REPOSITORY, "deploy/pergamon.service");

function health(port: number | string) {
  const script = join(REPOSITORY, "bin/health.mjs");
  return promisify(execFile)(process.execPath, [script], { env: { PORT: String(port) } });
}

test("the health check of containers tells a service that is ready from one that is not", async () => {
  const world = await openWorld();
  const { port } = new URL(world.baseUrl);
  const silent = { stdout: "", stderr: "" };
  // A machine that is busy with other tests is not ready at once.
  await expect.poll(() => health(port).catch(String), { timeout: 30_000, interval: 250 }).toEqual(silent);
  await world.close();
  await expect(health(port)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Not ready: ") as string,
  });
});

test("what the Dockerfile copies from this folder is there", () => {
  const text = readFileSync(join(REPOSITORY, "Dockerfile"), "utf8");
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  expect(copied).toContain("package-lock.json");
  const ignored = readFileSync(join(REPOSITORY, ".dockerignore"), "utf8");
  for (const name of copied) {
    expect([name, existsSync(join(REPOSITORY, name))]).toEqual([name, true]);
    expect(ignored).toContain(`!${name}\n`);
  }
});

test("the Dockerfile and the unit set the same for memory", () => {
  const settingsOf = (file: string) =>
    readFileSync(join(REPOSITORY, file), "utf8").match(/\bMALLOC_\w+=\S+/g);
  expect(settingsOf("Dockerfile")).toHaveLength(3);
  expect(settingsOf("deploy/pergamon.service")).toEqual(settingsOf("Dockerfile"));
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd has nothing to say against the unit", () => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", UNIT], { encoding: "utf8" });
  // Whether Node is where the unit expects it is a matter of the machine.
  const told = `${stdout}${stderr}`
    .split("\n")
    .filter((line) => line.includes("pergamon.service") && !line.includes("is not executable"));
  expect(told).toEqual([]);
  expect(status === 0 || stderr.includes("is not executable")).toBe(true);
});
