import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { measureSizes } from "../scripts/sizes.mjs";

const SCRIPT = fileURLToPath(new URL("../scripts/sizes.mjs", import.meta.url));

let folder = "";

beforeEach(async () => {
  folder = testFolder();
  await Promise.all(["packages", "test", "scripts"].map((name) => mkdir(join(folder, name))));
});

/** Makes a checkout of files with so many lines, beside those that are there. */
async function write(lines: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, count] of Object.entries(lines)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "// a line\n".repeat(count));
  }
}

async function measure(lines: Readonly<Record<string, number>>): Promise<ReturnType<typeof measureSizes>> {
  await write(lines);
  return measureSizes(folder);
}

/** So many files of the same length. */
function files(count: number, lines: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`packages/kit/src/${lines}-${index}.ts`, lines]),
  );
}

test.each([
  ["prints the figures", 500, 0, /^$/],
  [
    "fails and tells which file is too long",
    501,
    1,
    /^packages\/kit\/src\/app\.long\.ts has 501 lines, .*\n$/,
  ],
])("the program %s", async (_what, lines, code, told) => {
  await write({ ...files(20, 20), "packages/kit/src/app.long.ts": lines });
  const outcome = await new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
  expect(outcome).toEqual({
    code,
    stdout: expect.stringMatching(/^sources {2}21 files, \d+ lines; .*\ntests .*\n$/),
    stderr: expect.stringMatching(told),
  });
});

describe("sizes", () => {
  test("are those of the sources, and of tests beside them and in their own folder", async () => {
    const { figures, rooms, violations } = await measure({
      "packages/server/src/app.ts": 10,
      "packages/kit/src/lazy.ts": 30,
      "packages/kit/src/lazy.test.ts": 12,
      "packages/kit/src/lazy.suite.ts": 5,
      "packages/facts/src/model-data.json": 9000,
      "scripts/check.mjs": 4,
      "test/world.ts": 3,
    });
    expect(figures).toEqual([
      "sources  2 files, 40 lines; lines of a file: p50 10, p90 30, max 30",
      "tests    3 files, 20 lines",
    ]);
    expect(rooms).toEqual({
      server: { files: 1, lines: 10, exports: 0 },
      kit: { files: 1, lines: 30, exports: 0 },
      tests: { files: 3, lines: 20, exports: 0 },
      tooling: { files: 1, lines: 4, exports: 0 },
    });
    expect(violations).toEqual([]);
  });

  test("let a file have 500 lines, and name one that has more", async () => {
    const outcome = await measure({
      ...files(20, 20),
      "packages/kit/src/full.ts": 500,
      "packages/kit/src/overfull.ts": 501,
    });
    expect(outcome.violations).toEqual([
      "packages/kit/src/overfull.ts has 501 lines, more than 500: split it where its subject changes",
    ]);
  });

  test("do not matter for tests and tables of data", async () => {
    const outcome = await measure({
      ...files(20, 20),
      "packages/kit/src/long.test.ts": 600,
      "packages/server/src/fetch/locales/country-positions.ts": 600,
    });
    expect(outcome.violations).toEqual([]);
    expect(outcome.figures[0]).toContain("max 600");
  });

  test("and exported names have a budget by room, which a new room does not have", async () => {
    await write({ "packages/kit/src/lazy.ts": 30, "packages/server/src/new/one.ts": 5, "test/world.ts": 50 });
    await writeFile(
      join(folder, "packages/kit/src/names.ts"),
      "export const a = 1;\nexport type B = 1;\nexport { c, d } from './x.ts';\n",
    );
    const budgets = { kit: { lines: 32, exports: 3 }, tests: { lines: 50 } };
    await writeFile(join(folder, "scripts/budgets.json"), JSON.stringify(budgets));
    expect(measureSizes(folder).violations.map((text) => text.split(":")[0])).toEqual([
      "kit has 33 lines, its budget is 32",
      "kit exports 4 names, its budget is 3",
      "server/new has 5 lines, its budget is 0",
    ]);
  });

  test("lower the budgets of rooms that need less, and never raise one", async () => {
    await write({ "packages/kit/src/lazy.ts": 30, "packages/server/src/new/one.ts": 5 });
    const budgets = { kit: { lines: 500, exports: 9 }, "server/new": { lines: 3, exports: 0 } };
    await writeFile(join(folder, "scripts/budgets.json"), JSON.stringify(budgets));
    await new Promise((resolve) => {
      execFile(process.execPath, [SCRIPT, folder, "--lower"], resolve);
    });
    expect(JSON.parse(await readFile(join(folder, "scripts/budgets.json"), "utf8"))).toEqual({
      kit: { lines: 50, exports: 0 },
      "server/new": { lines: 3, exports: 0 },
    });
  });
});
