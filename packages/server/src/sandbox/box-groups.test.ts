import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { isRoot } from "@pergamon-dev/browser/launch/account";
import { startBox } from "./box.ts";
import { makeBoxFolder } from "./box-folder.ts";
import { findOwnGroup, openBoxGroups, whyNoGroups } from "./box-groups.ts";
import { descendants } from "@pergamon-dev/kit/process/descendants";
import { openSandbox } from "./open-sandbox.ts";

/** A group as the kernel shows one that is delegated, with these controllers. */
async function openFolder(controllers: string, processes: readonly number[] = [process.pid]) {
  const folder = testFolder();
  const files = {
    "cgroup.controllers": controllers,
    "cgroup.procs": processes.join("\n"),
    "cgroup.subtree_control": "",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test("boxes get groups of their own where memory and processes can be bounded", async () => {
  await using place = await openFolder("cpu memory pids");
  expect(whyNoGroups(place)).toBeUndefined();
  const group = openBoxGroups(place).make();
  group.add(42);
  const name = (await readdir(join(place.folder, "pergamon"))).find((one) => one.includes("-")) ?? "";
  const valueOf = (file: string) => readFile(join(place.folder, file), "utf8");
  expect(await valueOf(`pergamon/${name}/memory.max`)).toBe("1650000000");
  expect(await valueOf(`pergamon/${name}/pids.max`)).toBe("64");
  expect(await valueOf(`pergamon/${name}/cgroup.procs`)).toBe("42");
  expect(await valueOf("cgroup.subtree_control")).toBe("+memory +pids");
  expect(await valueOf("pergamon-service/cgroup.procs")).toBe(String(process.pid));
});

test.each([
  ["the kernel bounds no memory there", "cpu pids", [process.pid], "no control of memory"],
  ["others are in the group", "memory pids", [process.pid, 1], "processes of other programs"],
])("no groups when %s, which is told", async (_when, controllers, processes, reason) => {
  await using place = await openFolder(controllers, processes);
  expect(whyNoGroups(place)).toContain(reason);
});

/** A group below, so that this process need not leave its own. */
function makeGroup(parent: string): string {
  const folder = join(parent, `test-${process.pid}`);
  mkdirSync(folder);
  return folder;
}

function removeGroups(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroups(join(folder, entry.name));
  }
  rmdirSync(folder);
}

const own = findOwnGroup();
const verdict = await openSandbox();
const isPossible = isRoot() && typeof own !== "string" && verdict.sandbox !== undefined;

test.runIf(isPossible)("everything of a box is in its group, which goes with it", async () => {
  if (typeof own === "string" || !verdict.sandbox) return;
  const parent = makeGroup(own.folder);
  const groups = openBoxGroups({ folder: parent, limits: {} });
  const sandbox = { ...verdict.sandbox, groups };
  const folder = await makeBoxFolder(sandbox.account);
  const command = ["/bin/sh", "-c", "sleep 100 & echo started; sleep 100"];
  const plan = { system: sandbox.system, mountPoint: folder.mountPoint, mounts: [], command };
  const box = startBox(sandbox, sandbox.driver.launch(plan));
  await new Promise((resolve) => box.stdout.once("data", resolve));
  const groupOf = (pid: number) => /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
  const found = new Set(descendants(box.pid).map(groupOf));
  expect([...found]).toEqual([expect.stringMatching(/\/pergamon\/[0-9a-f-]{36}$/)]);
  await box.kill();
  await expect
    .poll(() =>
      readdirSync(join(parent, "pergamon"), { withFileTypes: true }).some((one) => one.isDirectory()),
    )
    .toBe(false);
  await folder.remove();
  removeGroups(parent);
});
