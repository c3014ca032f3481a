import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const REPORTER = join(REPOSITORY, "scripts/plain-summary-reporter.mjs");

let folder = "";

beforeEach(async () => {
  folder = testFolder();
  await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
});

interface Outcome {
  readonly code: number;
  readonly lastLine: string | undefined;
}

/** Runs these test files (their bodies; `test` and `expect` are there) and returns exit code and last line. */
async function run(...bodies: readonly string[]): Promise<Outcome> {
  const { code, lines } = await linesOf(...bodies);
  return { code, lastLine: lines.at(-1) };
}

async function linesOf(...bodies: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  for (const [index, body] of bodies.entries()) {
    const file = join(folder, `${index}.test.mjs`);
    await writeFile(file, `import { expect, test } from "vitest";\n${body}\n`);
  }
  const vitest = join(REPOSITORY, "node_modules/vitest/vitest.mjs");
  const reporters = ["--reporter", "default", "--reporter", REPORTER];
  const args = [vitest, "run", "--root", folder, "--pool", "threads", "--no-isolate", ...reporters];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, lines: stdout.trimEnd().split("\n") });
    });
  });
}

const PASSES = 'test("passes", () => expect(1).toBe(1));';
const FAILS = 'test("fails", () => expect(1).toBe(2));';
const SKIPPED = 'test.skip("skipped", () => {});';

test("counts passed tests and leaves out skipped ones", async () => {
  expect(await run(PASSES, `${PASSES}\n${SKIPPED}`)).toEqual({ code: 0, lastLine: "2 passed, 0 failed" });
});

test("counts failed tests, and a file that cannot be loaded as one", async () => {
  const result = await run(`${PASSES}\n${FAILS}`, 'import "./missing.mjs";');
  expect(result).toEqual({ code: 1, lastLine: "1 passed, 2 failed" });
});

test("names what failed, with the first lines of each error, just before the last line", async () => {
  const failsAtLength =
    'test("fails at length", () => { throw new Error("one\\ntwo\\nthree\\nfour\\nfive"); });';
  const { lines } = await linesOf(`${PASSES}\n${failsAtLength}`, 'import "./missing.mjs";');
  const ending = lines.slice(lines.findIndex((line) => line.startsWith("Failed: ")));
  expect(ending.filter((line) => line.startsWith("Failed: "))).toEqual([
    expect.stringMatching(/^Failed: .*0\.test\.mjs > fails at length$/),
    expect.stringMatching(/^Failed: .*1\.test\.mjs$/),
  ]);
  expect(ending.slice(1, 5)).toEqual([
    "  | one",
    "  | two",
    "  | three",
    expect.stringMatching(/^  \| at .*0\.test\.mjs:\d+$/),
  ]);
  expect(ending.find((line) => line.includes("missing.mjs"))).toMatch(/^  \| /);
  expect(ending.at(-1)).toBe("1 passed, 2 failed");
});

test("counts an error outside every test", async () => {
  const result = await run(`${PASSES}\nsetTimeout(() => { throw new Error("late"); }, 0);
    test("waits", () => new Promise((resolve) => setTimeout(resolve, 50)));`);
  expect(result).toEqual({ code: 1, lastLine: "2 passed, 1 failed" });
});

test.each([
  ["no test runs", SKIPPED],
  ["a file has no test", "export {};"],
])("fails when %s", async (_case, body) => {
  const { code, lastLine } = await run(body);
  expect(code).toBe(1);
  expect(lastLine).toMatch(/^0 passed, [01] failed$/);
});
