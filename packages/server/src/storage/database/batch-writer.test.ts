import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { BatchWriter, failAlone } from "./batch-writer.ts";
import type { Database, Statements } from "./database.ts";
import { openDatabase } from "./drivers.ts";

let database: Database;
let transactions = 0;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.prepared("CREATE TABLE items (name TEXT PRIMARY KEY)").run();
  transactions = 0;
});

afterEach(() => database.close());

function openWriter(maxOrders?: number): BatchWriter<Statements> {
  return new BatchWriter((work) => {
    transactions += 1;
    return database.transaction(work);
  }, maxOrders);
}

function insert(name: string) {
  return async (tx: Statements) => {
    await tx.prepared("INSERT INTO items (name) VALUES (?)").run(name).catch(failAlone);
  };
}

async function names(): Promise<readonly string[]> {
  const rows = await database.prepared<{ name: string }>("SELECT name FROM items ORDER BY name").all();
  return rows.map(({ name }) => name);
}

test("what is ordered together is written together, at most so many at once", async () => {
  const writer = openWriter(3);
  await Promise.all(["a", "b", "c", "d"].map((name) => writer.order(insert(name))));
  expect(await names()).toEqual(["a", "b", "c", "d"]);
  expect(transactions).toBe(2);
});

test("while each turn of the event loop brings orders, they wait for those of the next, up to a group", async () => {
  const writer = openWriter();
  const orders: Promise<void>[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    orders.push(writer.order(insert(`${turn}`)));
    await new Promise(setImmediate);
  }
  await Promise.all(orders);
  expect(await names()).toHaveLength(20);
  expect(transactions).toBeLessThanOrEqual(3);
});

test("an order that fails alone harms no other", async () => {
  const writer = openWriter();
  const ends = await Promise.allSettled(["a", "b", "a", "c"].map((name) => writer.order(insert(name))));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await names()).toEqual(["a", "b", "c"]);
});

test("after any other failure half as many share a transaction, until one has failed alone", async () => {
  const writer = openWriter();
  const orders = ["a", "b", "c", "d"].map((name) => writer.order(insert(name)));
  const ends = await Promise.allSettled([writer.order(() => Promise.reject(new Error("no"))), ...orders]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", ...orders.map(() => "fulfilled")]);
  expect(await names()).toEqual(["a", "b", "c", "d"]);
});

test("a failure that passes is that of all that share the transaction", async () => {
  const writer = openWriter();
  const away = () => Promise.reject(new PartAway("database", new Error("gone")));
  const ends = await Promise.allSettled([writer.order(insert("a")), writer.order(away)]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(transactions).toBe(1);
});

test("orders of a group share a transaction when 16 wait, or soon", async () => {
  const writer = openWriter();
  const group = Array.from({ length: 17 }, (_one, index) => writer.orderInGroup(insert(`${index}`), {}));
  await Promise.all(group);
  expect(transactions).toBe(1);
  await writer.orderInGroup(insert("last"), {});
  expect(await names()).toHaveLength(18);
});

test("what is ordered later is written with the next order, or soon", async () => {
  const writer = openWriter();
  await Promise.all([writer.orderLater(insert("a")), writer.order(insert("b"))]);
  expect(transactions).toBe(1);
  await writer.orderLater(insert("c"));
  expect(await names()).toEqual(["a", "b", "c"]);
});

test("a process with nothing else to do lives until what it ordered is written", async () => {
  const program = `
    import { BatchWriter } from ${JSON.stringify(new URL("batch-writer.ts", import.meta.url).href)};
    const writer = new BatchWriter((work) => work("batch"));
    console.log(await writer.orderInGroup(async () => "group", {}), await writer.orderLater(async () => "later"));`;
  const how = ["--conditions=pergamon-source", "--import", "tsx", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, how);
  expect(stdout).toBe("group later\n");
});

test("settling waits for all that was ordered", async () => {
  const writer = openWriter(1);
  const orders = ["a", "b"].map((name) => writer.orderLater(insert(name)));
  await writer.settle();
  expect(await names()).toEqual(["a", "b"]);
  await Promise.all(orders);
});
