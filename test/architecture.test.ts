import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url));
const PAGE = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

/** The folders of the drawn tree: `server/fetch/engines`. */
function drawnFolders(): readonly string[] {
  const drawing = /```text\npackages\/[^\n]*\n(.*?)```/s.exec(PAGE)?.[1] ?? "";
  const path: string[] = [];
  return drawing
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, indent = "", name = ""] = /^( +)([\w-]+)\/ +\S/.exec(line) ?? [];
      expect(name, `"${line}" names a folder, and what it is for`).not.toBe("");
      path.length = indent.length / 2 - 1;
      path.push(name);
      return path.join("/");
    });
}

function foldersIn(path: string): readonly string[] {
  return readdirSync(join(PACKAGES, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["dist", "node_modules"].includes(entry.name))
    .map(({ name }) => name);
}

/** Packages, the folders of their sources, and those within the folders of the server. */
function realFolders(): readonly string[] {
  return foldersIn(".").flatMap((name) => [name, ...withinSources(name, name === "server" ? 2 : 1)]);
}

function withinSources(name: string, depth: number, path = ""): readonly string[] {
  if (depth === 0) return [];
  return foldersIn(join(name, "src", path)).flatMap((folder) => [
    join(name, path, folder),
    ...withinSources(name, depth - 1, join(path, folder)),
  ]);
}

test("the drawn tree shows every package and folder, and no other", () => {
  expect(drawnFolders().toSorted()).toEqual(realFolders().toSorted());
});

test("files and folders that the page names are there", () => {
  const named = [...PAGE.matchAll(/`((?:\w[\w-]*\/)+[\w-]+\.ts)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(20);
  const files = new Set(
    readdirSync(PACKAGES, { recursive: true }).map((path) => String(path).replaceAll("\\", "/")),
  );
  expect(
    named.filter((path) => !files.has(`server/src/${path}`) && !files.has(path.replace(/^packages\//, ""))),
  ).toEqual([]);
});

/** Modules of a package that code outside of it imports by the package's name. */
function importedOf(name: string): readonly string[] {
  const outside = ["packages", "test", "lab", "scripts", "bin"].flatMap((folder) =>
    readdirSync(join(PACKAGES, "..", folder), { recursive: true })
      .map((path) => join(PACKAGES, "..", folder, String(path)))
      .filter((path) => /\.(?:tsx?|mjs|mts)$/.test(path) && !/[\\/](?:node_modules|dist)[\\/]/.test(path)),
  );
  const pattern = new RegExp(`"@pergamon-dev/${name}/([^"]+)"`, "g");
  const modules = outside.flatMap((path) =>
    Array.from(readFileSync(path, "utf8").matchAll(pattern), ([, module = ""]) => module),
  );
  return [...new Set(modules)].toSorted();
}

test.each(["html", "facts", "documents", "browser"])("%s offers the modules that others import", (name) => {
  const manifest = readFileSync(join(PACKAGES, name, "package.json"), "utf8");
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, unknown>> };
  const offered = Object.keys(exports).filter((path) => path !== ".");
  expect(offered.map((path) => path.slice(2)).toSorted()).toEqual(importedOf(name));
});

test("files and folders that its pictures name are there", () => {
  const pictures = [...PAGE.matchAll(/```mermaid\n(.*?)```/gs)].map(([, text = ""]) => text).join("\n");
  const named = [...pictures.matchAll(/[[( {]((?:[a-z][a-z-]*\/)+[a-z-]+)/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(15);
  const real = new Set(
    readdirSync(join(PACKAGES, "server/src"), { recursive: true }).map((path) =>
      String(path).replaceAll("\\", "/").replace(/\.ts$/, ""),
    ),
  );
  expect(named.filter((path) => !real.has(path))).toEqual([]);
});
