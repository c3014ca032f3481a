import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/floors.mjs", import.meta.url));

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Runs the check on a source tree made of these files. */
async function check(files: Readonly<Record<string, string>>): Promise<{ code: number; lines: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "floors-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (error, _stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, lines: stderr.split("\n").filter(Boolean) });
    });
  });
}

describe("floors", () => {
  test("lets a file import its own folder and lower floors", async () => {
    const result = await check({
      "kit/lazy.ts": "export const lazy = 1;",
      "content/html/parse.ts": 'import { lazy } from "../../kit/lazy.ts";\nexport const parse = lazy;',
      "content/markdown/convert.ts":
        'import { parse } from "../html/parse.ts";\nexport const convert = parse;',
      "scrape/scrape.ts": 'export { convert } from "../content/markdown/convert.ts";',
      "app.ts": 'import { convert } from "./scrape/scrape.ts";\nexport const app = convert;',
      "main.ts": 'import { app } from "./app.ts";\nconsole.log(app);',
    });
    expect(result).toEqual({ code: 0, lines: [] });
  });

  test.each([
    ["up", "kit/lazy.ts", 'import { scrape } from "../scrape/scrape.ts";', "floor 0 imports floor 4"],
    ["sideways", "content/parse.ts", 'import { net } from "../platform/net.ts";', "sibling on floor 1"],
    [
      "up for a type",
      "kit/lazy.ts",
      'import type { Scrape } from "../scrape/scrape.ts";',
      "floor 0 imports floor 4",
    ],
    ["up, lazily", "http/server.ts", 'const app = await import("../app.ts");', "floor 6 imports floor 8"],
    ["up, re-exported", "scrape/scrape.ts", 'export * from "../http/server.ts";', "floor 4 imports floor 6"],
    ["a folder without a floor", "http/a.ts", 'import "../utils/b.ts";', "folder utils has no floor"],
    ["out of the sources", "http/a.ts", 'import { bench } from "../../bench/main.ts";', "outside src"],
    ["a test", "http/a.ts", 'import { b } from "./b.test.ts";', "code must not import tests"],
  ])("refuses an import that goes %s", async (_case, name, text, reason) => {
    const result = await check({ [name]: text });
    expect(result.code).toBe(1);
    expect(result.lines).toHaveLength(1);
    expect(result.lines[0]).toMatch(new RegExp(`^src/${name}:1 imports `));
    expect(result.lines[0]).toContain(reason);
  });

  test("names the line of an import that spans lines", async () => {
    const result = await check({ "kit/a.ts": '// first\nimport {\n  b,\n} from "../http/b.ts";\n' });
    expect(result.lines).toEqual(["src/kit/a.ts:4 imports http/b.ts (floor 0 imports floor 6)"]);
  });

  test("lets floors use the types of config.ts, not its values", async () => {
    const result = await check({
      "config.ts": "export interface Config {}\nexport const value = process.env.PORT;",
      "http/typed.ts": 'import type { Config } from "../config.ts";\nexport type C = Config;',
      "http/valued.ts": 'import { value } from "../config.ts";\nexport const c = value;',
      "cli/main.ts": 'import { value } from "../config.ts";\nconsole.log(value);',
    });
    expect(result.lines).toEqual([
      "src/http/valued.ts:1 imports config.ts (only its types may be used here)",
    ]);
  });

  test("reports a circle once", async () => {
    const result = await check({
      "kit/a.ts": 'import "./b.ts";',
      "kit/b.ts": 'import "./c.ts";',
      "kit/c.ts": 'import "./a.ts";',
    });
    expect(result.lines).toEqual([
      "src/kit/c.ts:1 imports kit/a.ts (circle: kit/a.ts → kit/b.ts → kit/c.ts → kit/a.ts)",
    ]);
  });

  test("allows reading the environment in config.ts only", async () => {
    const result = await check({
      "config.ts": "export const port = process.env.PORT;",
      "kit/a.ts": "export const a = 1;\nexport const port = process.env.PORT;",
    });
    expect(result.lines).toEqual(["src/kit/a.ts:2 reads process.env (only config.ts does)"]);
  });

  test("is not misled by comments, templates and regular expressions", async () => {
    const result = await check({
      "kit/a.ts": [
        '// import "../http/a.ts"; process.env',
        '/* import "../http/a.ts"; */',
        "export const quote = /[\"'`/]/;",
        "export const half = (1 + 2) / 2;",
        'export const text = `\nimport "../http/a.ts"; ${`process.env`}`;',
        'import "../http/b.ts";',
      ].join("\n"),
    });
    expect(result.lines).toEqual(["src/kit/a.ts:7 imports http/b.ts (floor 0 imports floor 6)"]);
  });

  test("lets a test use test/, and keeps it on its floor", async () => {
    const result = await check({
      "kit/a.test.ts": 'import { server } from "../../test/server.ts";\nimport { b } from "../http/b.ts";',
    });
    expect(result.lines).toEqual(["src/kit/a.test.ts:2 imports http/b.ts (floor 0 imports floor 6)"]);
  });
});
