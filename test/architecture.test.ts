import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { FLOORS, ROOMS } from "../scripts/floor-table.mjs";

const SOURCES = fileURLToPath(new URL("../packages/server/src", import.meta.url));
const PAGE = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

/** The folders of the drawn tree, each with its floor: `visit/ladder` → `4.5`. */
function drawnTree(): ReadonlyMap<string, string> {
  const drawing = /```text\nsrc\/[^\n]*\n(.*?)```/s.exec(PAGE)?.[1] ?? "";
  const path: string[] = [];
  const folders = new Map<string, string>();
  for (const line of drawing.trimEnd().split("\n")) {
    const [, indent = "", name = "", floor = ""] = /^( +)([\w-]+)\/ +([\d.]+) +\S/.exec(line) ?? [];
    expect(name, `"${line}" names a folder, its floor and what it is for`).not.toBe("");
    path.length = indent.length / 2 - 1;
    path.push(name);
    folders.set(path.join("/"), floor);
  }
  return folders;
}

/** Folders that hold files, and those above them. */
function realFolders(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const folders = new Set<string>();
  for (const { parentPath } of files) {
    let folder = relative(SOURCES, parentPath).replaceAll("\\", "/");
    for (; folder !== "" && folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

/** The floor that the check holds a folder to, as the drawing writes it. */
function floorOf(folder: string): string {
  const [top = "", ...within] = folder.split("/");
  const floor = String(FLOORS[top]);
  return within.length === 0 ? floor : `${floor}.${ROOMS[top]?.[within.join("/")]}`;
}

test("the drawn tree shows every folder of the sources, and no other", () => {
  expect([...drawnTree().keys()].toSorted()).toEqual(realFolders().toSorted());
});

test("the drawn tree has the floors that the check holds files to", () => {
  const drawn = Object.fromEntries(drawnTree());
  expect(drawn).toEqual(Object.fromEntries(Object.keys(drawn).map((folder) => [folder, floorOf(folder)])));
});

test("files and folders that the page names are there", () => {
  const named = [...PAGE.matchAll(/`((?:\w[\w-]*\/)+[\w-]+\.ts)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(20);
  const files = new Set(
    readdirSync(SOURCES, { recursive: true }).map((path) => String(path).replaceAll("\\", "/")),
  );
  expect(named.filter((path) => !files.has(path))).toEqual([]);
});
