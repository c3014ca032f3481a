import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";

import { IndexFile } from "./index-file.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "index-file-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function pageOf(teamId: string, name: string, text: string) {
  const ids = { scrapeId: `scrape of ${name}`, captureId: `capture of ${name}` };
  return { teamId, url: `https://site.test/${name}`, ...ids, title: name, description: "", markdown: text };
}

function found(index: IndexFile, teamId: string, words: string, limit = 10): readonly string[] {
  return index.search({ teamId, words, limit }).map(({ title }) => title);
}

test("pages with more of the words come first, and those of other teams never", () => {
  const index = new IndexFile(join(folder, "teams.db"));
  index.add([
    pageOf("a", "one", "green"),
    pageOf("b", "foreign", "green tea pots"),
    pageOf("a", "two", "green tea, and much besides that nobody looks for"),
    pageOf("a", "none", "coffee"),
  ]);
  expect(found(index, "a", "green tea pots")).toEqual(["two", "one"]);
  expect(found(index, "b", "green tea pots")).toEqual(["foreign"]);
  expect(found(index, "c", "green")).toEqual([]);
  index.removeTeam("a");
  expect(found(index, "a", "green tea pots")).toEqual([]);
  index.add([pageOf("c", "later", "green")]);
  expect([found(index, "c", "green"), found(index, "b", "green")]).toEqual([["later"], ["foreign"]]);
});

test("a file with tables of another version is begun again", () => {
  const path = join(folder, "old.db");
  const old = new DatabaseSync(path);
  old.exec("CREATE TABLE pages (id integer PRIMARY KEY, team text)");
  old.exec("CREATE VIRTUAL TABLE words USING fts5 (team, text)");
  old.close();
  new IndexFile(path).add([pageOf("a", "one", "green tea")]);
  expect(found(new IndexFile(path), "a", "tea"), "and one of this version stays").toEqual(["one"]);
});
