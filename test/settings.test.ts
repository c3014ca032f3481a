import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { parts } from "../packages/server/src/config/all.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "settings-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program of this repository from its sources. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...settings };
  return new Promise<{ code: number; errors: string }>((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=pergamon-source", "--import", "tsx", ...args],
      { env },
      (error, _stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, errors: stderr });
      },
    );
  });
}

test("a start with invalid settings ends with a line for each", { timeout: 60_000 }, async () => {
  const settings = { DATA_DIR: folder, PORT: "abc", DATABASE_URL: "mysql://me:hunter2@db.test/x" };
  const { code, errors } = await run(["packages/server/src/main.ts"], settings);
  expect(code).toBe(1);
  expect(errors).toContain(
    [
      "These settings are invalid:",
      "  PORT: must be a whole number from 0 to 65535",
      '  DATABASE_URL: No database driver for "mysql:". Known: sqlite:, postgres:, postgresql:',
    ].join("\n"),
  );
  expect(errors).not.toContain("hunter2");
});

describe("the table of settings", () => {
  let page: string;
  const generate = (...options: readonly string[]) => run(["scripts/generate-settings.ts", ...options, page]);

  beforeEach(async () => {
    page = join(folder, "settings.md");
    await copyFile("docs/settings.md", page);
  });

  test("names every setting once", async () => {
    const text = await readFile(page, "utf8");
    for (const name of Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape))) {
      expect(text.split(`\n| \`${name}\` | `)).toHaveLength(2);
    }
  });

  test("is checked, and written again when it is not true", { timeout: 60_000 }, async () => {
    const good = await readFile(page, "utf8");
    expect(await generate("--check")).toMatchObject({ code: 0, errors: "" });
    const outdated = good.replace("| `PORT` | `3002` |", "| `PORT` | `80` |");
    await writeFile(page, outdated);
    const refused = await generate("--check");
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain("npm run fix");
    expect(await readFile(page, "utf8")).toBe(outdated);
    expect(await generate()).toMatchObject({ code: 0 });
    expect(await readFile(page, "utf8")).toBe(good);
  });

  test("is not put anywhere into a file without a place for it", { timeout: 60_000 }, async () => {
    await writeFile(page, "# Settings\n");
    const { code, errors } = await generate();
    expect(code).toBe(1);
    expect(errors).toContain("There is no place for the settings");
    expect(await readFile(page, "utf8")).toBe("# Settings\n");
  });
});
