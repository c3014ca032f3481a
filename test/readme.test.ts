import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MAX_LINES = 120;
const NAMING_PAGES = ["docs/glossary.md", "docs/where-things-go.md"];
const PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].concat(
  readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
);

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Anchor of a heading, as code sites make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsIn(path: string): readonly string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

test("figures that the pages name are among those of the service", () => {
  const sources = readFileSync(join(ROOT, "packages/server/src/operator/health/metrics.ts"), "utf8");
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\bpergamon_[a-z_]+/g)].map(([name]) => name),
  );
  const bare = [...new Set(named.map((name) => name.replace(/_(?:sum|count|bucket)$/, "")))];
  expect(bare.length).toBeGreaterThan(5);
  expect(bare.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});

test("the front page is one: short, and with the version's changes beside it", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  const { version, name } = JSON.parse(read("package.json")) as { version: string; name: string };
  expect(read("CHANGELOG.md")).toContain(`\n## ${version}`);
  expect(name).toMatch(/^@/);
});

test.each(PAGES)("links of %s lead somewhere", (page) => {
  const links = [
    ...read(page)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
  ];
  const broken = links.filter(([, path = "", anchor]) => {
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsIn(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(NAMING_PAGES)("files and folders that %s names are there", (page) => {
  const named = [...read(page).matchAll(/`((?:\w[\w-]*\/)+(?:[\w.-]+\.\w+)?)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter(
      (path) => !["", "packages", "packages/server/src"].some((above) => existsSync(join(ROOT, above, path))),
    ),
  ).toEqual([]);
});
