import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

import { findViolations } from "../scripts/floors.mjs";

const SCRIPT = fileURLToPath(new URL("../scripts/floors.mjs", import.meta.url));

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A source tree made of these files. */
async function makeTree(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "floors-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** What is found in a source tree made of these files. */
async function check(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return findViolations(await makeTree(files));
}

test.each([
  ["ends well when there is nothing to tell", {}, 0, ""],
  [
    "fails and tells what it found",
    { "kit/a.ts": 'import "../http/b.ts";' },
    1,
    "src/kit/a.ts:1 imports http/b.ts (floor 0 imports floor 10)\n",
  ],
])("the program %s", async (_what, files, code, told) => {
  const folder = await makeTree(files);
  const outcome = await new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (error, _stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stderr });
    });
  });
  expect(outcome).toEqual({ code, stderr: told });
});

describe("floors", () => {
  test("lets a file import its own folder and lower floors", async () => {
    const result = await check({
      "kit/lazy.ts": "export const lazy = 1;",
      "page-content/html/parse.ts": 'import { lazy } from "../../kit/lazy.ts";\nexport const parse = lazy;',
      "page-content/markdown/convert.ts":
        'import { parse } from "../html/parse.ts";\nexport const convert = parse;',
      "scrape/scrape.ts": 'export { convert } from "../page-content/markdown/convert.ts";',
      "app/app.ts": 'import { convert } from "../scrape/scrape.ts";\nexport const app = convert;',
      "main.ts": 'import { app } from "./app/app.ts";\nconsole.log(app);',
    });
    expect(result).toEqual([]);
  });

  test.each([
    ["up", "kit/lazy.ts", 'import { scrape } from "../scrape/scrape.ts";', "floor 0 imports floor 6"],
    ["sideways", "http/parse.ts", 'import { admin } from "../admin/setup.ts";', "sibling on floor 10"],
    [
      "up for a type",
      "kit/lazy.ts",
      'import type { Scrape } from "../scrape/scrape.ts";',
      "floor 0 imports floor 6",
    ],
    [
      "up, lazily",
      "http/server.ts",
      'const app = await import("../app/app.ts");',
      "floor 10 imports floor 12",
    ],
    ["up, re-exported", "scrape/scrape.ts", 'export * from "../http/server.ts";', "floor 6 imports floor 10"],
    ["out of what is pure", "facts/a.ts", 'import { net } from "../platform/net.ts";', "facts is pure"],
    ["a folder without a floor", "http/a.ts", 'import "../utils/b.ts";', "folder utils has no floor"],
    ["out of the sources", "http/a.ts", 'import { bench } from "../../bench/main.ts";', "outside src"],
    ["a test", "http/a.ts", 'import { b } from "./b.test.ts";', "code must not import tests"],
  ])("refuses an import that goes %s", async (_case, name, text, reason) => {
    const result = await check({ [name]: text });
    expect(result).toHaveLength(1);
    expect(result[0]).toMatch(new RegExp(`^src/${name}:1 imports `));
    expect(result[0]).toContain(reason);
  });

  test("names the line of an import that spans lines", async () => {
    const result = await check({ "kit/a.ts": '// first\nimport {\n  b,\n} from "../http/b.ts";\n' });
    expect(result).toEqual(["src/kit/a.ts:4 imports http/b.ts (floor 0 imports floor 10)"]);
  });

  test("lets floors use the types of config/, not its values", async () => {
    const result = await check({
      "config/config.ts":
        'import { port } from "./port.ts";\nexport interface Config {}\nexport const value = port;',
      "config/port.ts": "export const port = process.env.PORT;",
      "http/typed.ts": 'import type { Config } from "../config/config.ts";\nexport type C = Config;',
      "http/valued.ts": 'import { value } from "../config/config.ts";\nexport const c = value;',
      "cli/main.ts": 'import { value } from "../config/config.ts";\nconsole.log(value);',
      "program.ts": 'import { value } from "./config/config.ts";\nexport const app = value;',
    });
    expect(result).toEqual([
      "src/http/valued.ts:1 imports config/config.ts (only its types may be used here)",
    ]);
  });

  test("holds the same rule between the folders of a folder", async () => {
    const result = await check({
      "visit/visit.ts": 'import { click } from "./actions/click.ts";\nexport const visit = click;',
      "visit/actions/click.ts": "export const click = 1;",
      "visit/engines/http.ts": 'import { visit } from "../visit.ts";\nexport const http = visit;',
      "visit/locales/locales.ts": 'import { http } from "../engines/http.ts";\nexport const place = http;',
      "stores/files/files.ts": 'import "../captures/captures.ts";',
      "stores/captures/captures.ts": "export const captures = 1;",
      "visit/errands/errand.ts": 'import "../visit.ts";',
    });
    expect(result).toEqual([
      "packages/server/src/files/files.ts:1 imports stores/captures/captures.ts (sibling on floor 1 of stores: files imports captures)",
      "src/visit/errands/errand.ts:1 imports visit/visit.ts (folder visit/errands has no floor in scripts/floor-table.mjs)",
      "packages/server/src/fetch/locales/locales.ts:1 imports visit/engines/http.ts (floor 0 imports floor 4 of visit: locales imports engines)",
    ]);
  });

  test("lets a test use everything in the folder it tests", async () => {
    const result = await check({
      "visit/visit.suite.ts": "export const suite = 1;",
      "visit/locales/locales.test.ts": 'import { suite } from "../visit.suite.ts";\nconsole.log(suite);',
    });
    expect(result).toEqual([]);
  });

  test("reports a circle once", async () => {
    const result = await check({
      "kit/a.ts": 'import "./b.ts";',
      "kit/b.ts": 'import "./c.ts";',
      "kit/c.ts": 'import "./a.ts";',
    });
    expect(result).toEqual([
      "src/kit/c.ts:1 imports kit/a.ts (circle: kit/a.ts → kit/b.ts → kit/c.ts → kit/a.ts)",
    ]);
  });

  test("allows reading the environment in config/ only", async () => {
    const result = await check({
      "config/environment.ts": "export const port = process.env.PORT;",
      "kit/a.ts": "export const a = 1;\nexport const port = process.env.PORT;",
    });
    expect(result).toEqual(["src/kit/a.ts:2 reads process.env (only config/ does)"]);
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
    expect(result).toEqual(["src/kit/a.ts:7 imports http/b.ts (floor 0 imports floor 10)"]);
  });

  test("lets a test use test/, and keeps it on its floor", async () => {
    const result = await check({
      "kit/a.test.ts": 'import { server } from "../../test/server.ts";\nimport { b } from "../http/b.ts";',
    });
    expect(result).toEqual(["src/kit/a.test.ts:2 imports http/b.ts (floor 0 imports floor 10)"]);
  });
});
