import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { parts } from "../packages/server/src/config/all.ts";
import { settingTable, withPart } from "../scripts/documentation.ts";

const folder = testFolder();

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
  test("has every setting once, as the code says", () => {
    const text = settingTable();
    for (const name of Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape)))
      expect(text.match(new RegExp(`^\\| \`${name}\`(?: \\*)? \\|`, "gm"))).toHaveLength(1);
    expect(text).toContain("| `PORT` | `3002` | 0 to 65535 |");
    expect(text).toContain("| `WEBHOOK_RETRY_SECONDS` | `60,300,900` |");
    expect(text).toMatch(/`SECRET_KEY` \| [^|]*required with Postgres/);
    expect(text).toContain("| `RATE_LIMIT` * |");
  });

  test("is put between its marks, and nowhere else", () => {
    const page = "# Settings\n<!-- settings -->\nold\n<!-- /settings -->\nend\n";
    expect(withPart(page, "settings", "new")).toBe(page.replace("old", "new"));
    expect(() => withPart("# Settings\n", "settings", "new")).toThrow("<!-- settings -->");
  });
});
