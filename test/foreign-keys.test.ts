import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const SCRIPT = fileURLToPath(new URL("../scripts/foreign-keys.mjs", import.meta.url));

/** Runs the check on a source tree made of these files. @returns the places it complains about. */
async function check(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = testFolder();
  const options = { strict: true, noEmit: true, target: "es2022", module: "nodenext" };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (_error, _stdout, stderr) => resolve(stderr));
  });
  return output
    .split("\n")
    .map((line) => /^packages\/\S+:\d+/.exec(line)?.[0])
    .filter((place) => place !== undefined);
}

test("R11 any text as the key of an object is found, however it is claimed to be one of its own", async () => {
  const lines = [
    `const table: Readonly<Record<string, number>> = { a: 1 };`,
    `const closed = { a: 1 } as const;`,
    `const written: Record<string, number> = {};`,
    `export const read = (name: string) => table[name];`,
    "export const prefixed = (name: string) => table[`x-${name}`];",
    `export const cast = (name: string) => closed[name as keyof typeof closed];`,
    `export const asked = (name: string) => name in closed;`,
    `export function write(name: string | undefined) { written[name!] = 1; }`,
  ];
  const files = {
    "packages/a/src/table.ts": lines.join("\n"),
    "packages/a/src/table.test.ts": lines.join("\n"),
  };
  expect(await check(files)).toEqual([4, 5, 6, 7, 8].map((line) => `packages/a/src/table.ts:${line}`));
});

test("R11 keys that are known, lists and maps are left alone", async () => {
  const source = [
    `const table: Readonly<Record<string, number>> = { a: 1 };`,
    `const list = ["a"];`,
    `const places = { left: 1, right: 2 };`,
    `export const known = table["a"];`,
    `export const numbered = (index: number) => list[index];`,
    `export const named = (place: keyof typeof places) => places[place];`,
    `export const narrowed = (value: object) => "toJSON" in value;`,
    `export const generic = <Key extends keyof typeof places>(key: Key) => places[key];`,
    `export const mapped = (name: string) => new Map([["a", 1]]).get(name);`,
  ];
  const own = "export const own = (table: Record<string, 1>, name: string) => table[name];";
  expect(
    await check({ "packages/a/src/table.ts": source.join("\n"), "packages/kit/src/own-property.ts": own }),
  ).toEqual([]);
});
