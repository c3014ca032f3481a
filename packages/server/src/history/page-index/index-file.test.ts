import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";

import { atTheSameMoment } from "@pergamon-dev/kit/same-moment.suite";
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

test("processes that begin a file at the same time all add to it", async () => {
  const program = `
    import { IndexFile } from ${JSON.stringify(new URL("index-file.ts", import.meta.url).href)};
    const run = (round, name) => {
      const page = { teamId: "a", url: "https://site.test/" + name, scrapeId: name, captureId: name };
      const index = new IndexFile(${JSON.stringify(folder)} + "/race-" + round + ".db");
      index.add([{ ...page, title: name, description: "", markdown: "green tea" }]);
    }`;
  const [processes, rounds] = [4, 20];
  expect(await atTheSameMoment(program, { processes, rounds })).toEqual([]);
  for (let round = 0; round < rounds; round += 1) {
    const names = await found(new IndexFile(join(folder, `race-${round}.db`)), "a", "tea");
    expect(names.toSorted()).toEqual(["0", "1", "2", "3"]);
  }
});

test("a file with tables of another version is begun again", async () => {
  const path = join(folder, "old.db");
  const old = new DatabaseSync(path);
  old.exec("CREATE TABLE pages (id integer PRIMARY KEY, team text)");
  old.exec("CREATE VIRTUAL TABLE words USING fts5 (team, text)");
  old.close();
  new IndexFile(path).add([pageOf("a", "one", "green tea")]);
  expect(await found(new IndexFile(path), "a", "tea"), "and one of this version stays").toEqual(["one"]);
});
