import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Sheets that change what others define: for a phone, and for a page of its own. */
const FURTHER = /narrow\.css$|reference\.css$/;
/** Marks that only programs look for. */
const WITHOUT_RULE: ReadonlySet<string> = new Set(["cite", "space"]);

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).map(
  (path) =>
    [
      path,
      path.endsWith(".tsx") || path.endsWith(".css") ? readFileSync(join(ROOT, path), "utf8") : "",
    ] as const,
);
const sheets = files.filter(([path]) => path.endsWith(".css"));
const components = files.filter(([path]) => path.endsWith(".tsx") && !path.includes(".test."));

/** Classes that a sheet gives rules of their own, such as `.progress`. */
function definedIn(sheet: string): ReadonlySet<string> {
  const selectors = [...sheet.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  return new Set(selectors.flatMap((selector) => /^\.([a-z][\w-]*)$/.exec(selector.trim())?.[1] ?? []));
}

test("no class is defined by two sheets: one would change what the other draws", () => {
  const homes = new Map<string, string[]>();
  for (const [path, sheet] of sheets.filter(([name]) => !FURTHER.test(name)))
    for (const name of definedIn(sheet)) homes.set(name, [...(homes.get(name) ?? []), path]);
  expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

test("no class is used that has no rule", () => {
  const ruled = new Set(
    sheets.flatMap(([, sheet]) => [...sheet.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name)),
  );
  const used = components.flatMap(([path, text]) =>
    [...text.matchAll(/\bclass="([^"]+)"/g)].flatMap(([, names = ""]) =>
      names.split(/\s+/).map((name) => ({ path, name })),
    ),
  );
  expect(used.filter(({ name }) => !ruled.has(name) && !WITHOUT_RULE.has(name))).toEqual([]);
});
