import { afterAll, expect, test } from "vitest";

import { openDatabase } from "../database/drivers.ts";
import { type NodeFacts, Nodes } from "./nodes.ts";

const facts: NodeFacts = {
  roles: ["api"],
  version: "1",
  startedAtMs: 5,
  isDraining: false,
  fetching: 0,
  fetchingLimit: 8,
  overloaded: null,
  waiting: 0,
  sessions: 0,
  memoryBytes: 1,
  eventLoopLagMs: 0,
};

const database = await openDatabase("sqlite::memory:");
await database.migrate();
afterAll(() => database.close());

test("nodes that know the secret find each other; rows of others are as if they were not there", async () => {
  const nodes = new Nodes(database, "secret");
  await nodes.tell({ tag: "a", process: "p-a", url: "http://127.0.0.1:1", facts });
  await new Nodes(database, "other secret").tell({ tag: "b", process: "p-b", url: "http://evil:1", facts });
  expect(await nodes.urlOf("p-a")).toBe("http://127.0.0.1:1");
  expect(await nodes.urlOf("a")).toBe("http://127.0.0.1:1");
  expect(await nodes.urlOf("b")).toBeUndefined();
  expect((await nodes.all()).map(({ tag }) => tag)).toEqual(["a"]);
});

test.each(["url", "facts", "process"])("a row whose %s somebody has changed is none", async (column) => {
  const nodes = new Nodes(database, "secret");
  await nodes.tell({ tag: "c", process: "p-c", url: "http://127.0.0.1:3", facts });
  const value = column === "facts" ? JSON.stringify({ ...facts, roles: ["browse"] }) : "http://evil:3";
  await database.prepared(`UPDATE nodes SET ${column} = ? WHERE tag = 'c'`).run(value);
  expect(await nodes.urlOf("c")).toBeUndefined();
  expect((await nodes.all()).map(({ tag }) => tag)).not.toContain("c");
});

test("a node that leaves is forgotten", async () => {
  const nodes = new Nodes(database, "secret");
  await nodes.tell({ tag: "d", process: "p-d", url: "http://127.0.0.1:4", facts });
  await nodes.leave("d");
  expect(await nodes.urlOf("d")).toBeUndefined();
});
