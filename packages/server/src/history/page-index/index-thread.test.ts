import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { FileStore } from "./file-store.ts";
import type { IndexStore } from "./index-store.ts";
import { IndexThread } from "./index-thread.ts";

const thread = new IndexThread();
const { signal } = new AbortController();
const folder = testFolder();
let index: IndexStore;

const pageOf = (teamId: string, name: string) => ({
  teamId,
  url: `https://site.test/${name}`,
  scrapeId: name,
  captureId: name,
  title: name,
  description: "",
  markdown: "tea",
});

beforeAll(async () => {
  index = new FileStore(join(folder, "search.db"), thread);
  await index.add([pageOf("many", "one"), pageOf("other", "two")]);
  await index.index();
});

afterAll(() => thread.close());

test("a team that searches much lets others, and what is written, have the next turns", async () => {
  const order: string[] = [];
  const noted = (name: string, work: Promise<unknown>) => work.then(() => order.push(name));
  const search = (teamId: string) => index.search({ teamId, words: "tea", limit: 1 }, signal);
  const flood = Array.from({ length: 30 }, () => noted("many", search("many")));
  const later = [noted("other", search("other")), noted("writing", index.index())];
  await Promise.all([...flood, ...later]);
  expect(order.slice(0, 3).toSorted()).toEqual(["many", "other", "writing"]);
  expect(order).toHaveLength(32);
});

test("what is given up while it waits is not begun", async () => {
  const gone = new AbortController();
  const first = index.search({ teamId: "many", words: "tea", limit: 1 }, signal);
  const waiting = index.search({ teamId: "other", words: "tea", limit: 1 }, gone.signal);
  gone.abort(new Error("given up"));
  await expect(waiting).rejects.toThrow("given up");
  expect(await first).toHaveLength(1);
});
