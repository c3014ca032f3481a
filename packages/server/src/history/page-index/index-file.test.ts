import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { atTheSameMoment } from "@pergamon-dev/kit/same-moment.suite";
import { IndexFile } from "./index-file.ts";
import { FileStore } from "./file-store.ts";
import { IndexThread } from "./index-thread.ts";
import { TextFile } from "./text-file.ts";

const folder = testFolder();

function pageOf(teamId: string, name: string, text: string) {
  const ids = { scrapeId: `scrape of ${name}`, captureId: `capture of ${name}` };
  return { teamId, url: `https://site.test/${name}`, ...ids, title: name, description: "", markdown: text };
}

async function found(index: IndexFile, teamId: string, words: string): Promise<readonly string[]> {
  while (index.index() > 0);
  return (await index.search({ teamId, words, limit: 10 })).map(({ title }) => title);
}

test("processes that begin a file at the same time all add to it", async () => {
  const program = `
    import { FileStore } from ${JSON.stringify(new URL("file-store.ts", import.meta.url).href)};
    const run = (round, name) => {
      const page = { teamId: "a", url: "https://site.test/" + name, scrapeId: name, captureId: name };
      const store = new FileStore(${JSON.stringify(folder)} + "/race-" + round + ".db");
      return store.add([{ ...page, title: name, description: "", markdown: "green tea" }]);
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
  new TextFile(path).put([pageOf("a", "one", "green tea")]);
  expect(await found(new IndexFile(path), "a", "tea"), "and one of this version stays").toEqual(["one"]);
});

test("a file of the version before keeps its pages", async () => {
  const path = join(folder, "before.db");
  new TextFile(path).put([pageOf("a", "one", "green tea")]);
  expect(await found(new IndexFile(path), "a", "tea")).toEqual(["one"]);
  const old = new DatabaseSync(path);
  old.exec("DROP TABLE changes; PRAGMA user_version = 2");
  old.close();
  new TextFile(path).put([pageOf("a", "two", "black tea")]);
  expect(await found(new IndexFile(path), "a", "tea")).toEqual(["one", "two"]);
});

test("what was written before a kill is found by the next process, once", async () => {
  const path = join(folder, "killed.db");
  const pages = Array.from({ length: 100 }, (_, number) => pageOf("a", String(number), "green tea"));
  await new FileStore(path, new IndexThread()).add(pages);
  new IndexFile(path).index();
  const next = new IndexFile(path);
  while (next.index() > 0);
  expect(
    new Set((await next.search({ teamId: "a", words: "tea", limit: 200 })).map(({ url }) => url)).size,
  ).toBe(100);
});
