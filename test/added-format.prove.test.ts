import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const COPIED = [
  "bench",
  "bin",
  "scripts",
  "soak",
  "src",
  "test",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];

const FORMAT = `import { z } from "zod";

import { defineFormat } from "./format.ts";

export const textLength = defineFormat({
  options: z.strictObject({ type: z.literal("textLength") }).describe("How long the page is."),
  answer: { textLength: z.int().min(0).describe("Characters of the Markdown.") },
  credits: 2,
  async produce(page) {
    return { textLength: (await page.markdown()).length };
  },
});
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "added-format-"));
  await Promise.all(
    COPIED.map((name) => cp(join(REPOSITORY, name), join(folder, name), { recursive: true })),
  );
  await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "src/scrape/formats/text-length.ts"), FORMAT);
  await appendFile(
    join(folder, "src/scrape/formats/all.ts"),
    'export { textLength } from "./text-length.ts";\n',
  );
});

afterAll(() => rm(folder, { recursive: true }));

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const tool = join(REPOSITORY, "node_modules", program);
  // Nothing of the test runner that this test runs in.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const ran = promisify(execFile)(process.execPath, [tool, ...args], { cwd: folder, env, timeout: 200_000 });
  return ran.then(
    () => "good",
    (failure: { readonly stdout: string }) => failure.stdout,
  );
}

test("a format is one file and one line: no table, type or test wants more", async () => {
  expect(await run("typescript/bin/tsc", "--noEmit", "-p", ".")).toBe("good");
  const tests = [
    "src/scrape/request/price.test.ts",
    "src/scrape/request/schema.test.ts",
    "test/new-format.test.ts",
  ];
  expect(await run("vitest/vitest.mjs", "run", "--project", "test", ...tests)).toBe("good");
}, 400_000);
