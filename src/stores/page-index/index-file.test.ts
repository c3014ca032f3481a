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

async function found(index: IndexFile, teamId: string, words: string): Promise<readonly string[]> {
  return (await index.search({ teamId, words, limit: 10 })).map(({ title }) => title);
}

test("a file with tables of another version is begun again", async () => {
  const path = join(folder, "old.db");
  const old = new DatabaseSync(path);
  old.exec("CREATE TABLE pages (id integer PRIMARY KEY, team text)");
  old.exec("CREATE VIRTUAL TABLE words USING fts5 (team, text)");
  old.close();
  new IndexFile(path).add([pageOf("a", "one", "green tea")]);
  expect(await found(new IndexFile(path), "a", "tea"), "and one of this version stays").toEqual(["one"]);
});
