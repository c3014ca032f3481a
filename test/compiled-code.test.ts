import { execFile } from "node:child_process";
import { cp, mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const ROOT = join(import.meta.dirname, "..");
let folder: string;
let kept: string;

/** An installed package whose program says only that it runs. */
beforeEach(async () => {
  folder = testFolder();
  kept = join(folder, "dist/compiled");
  await mkdir(join(folder, "dist"));
  for (const name of ["bin", "package.json"])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, "dist/main.js"), 'console.log("It runs.");\n');
});

async function start(): Promise<string> {
  const command = [join(folder, "bin/run.mjs"), "start"];
  return (await promisify(execFile)(process.execPath, command, { timeout: 30_000 })).stdout;
}

test("a start goes on where nothing can be kept", async () => {
  await writeFile(kept, "in the way");
  expect(await start()).toBe("It runs.\n");
});

test.runIf("enableCompileCache" in nodeModule)("a start goes on where what was kept is torn", async () => {
  expect(await start()).toBe("It runs.\n");
  const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(files).not.toEqual([]);
  for (const [index, { parentPath, name }] of files.entries())
    await truncate(join(parentPath, name), index % 2 ? 0 : 50);
  expect(await start()).toBe("It runs.\n");
});
