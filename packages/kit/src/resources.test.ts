import { expect, test, vi } from "vitest";

import { Resources } from "./resources.ts";

test("what was opened is closed newest first, one after the other", async () => {
  const resources = new Resources();
  const steps: string[] = [];
  for (const name of ["database", "cache", "server"]) {
    resources.add(name, async (resource) => {
      steps.push(`${resource} begins`);
      await Promise.resolve();
      steps.push(`${resource} ends`);
    });
  }
  await resources.close();
  const order = ["server", "cache", "database"];
  expect(steps).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("adding gives the resource back", () => {
  const resource = { name: "x" };
  expect(new Resources().add(resource, () => undefined)).toBe(resource);
});

test("a close that fails keeps nothing open; all failures are told at the end", async () => {
  const resources = new Resources();
  const closed: string[] = [];
  resources.add("first", (name) => void closed.push(name));
  resources.add("throws", () => {
    throw new Error("at once");
  });
  resources.add("rejects", () => Promise.reject(new Error("a moment later")));
  resources.add("last", (name) => void closed.push(name));
  const failure = await resources.close().catch((thrown: unknown) => thrown);
  expect(closed).toEqual(["last", "first"]);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors).toEqual([new Error("a moment later"), new Error("at once")]);
});

test("everything is closed once, however often one closes, and also after a failure", async () => {
  const resources = new Resources();
  let count = 0;
  resources.add("x", () => {
    count += 1;
    throw new Error("of the test");
  });
  await expect(resources.close()).rejects.toThrow("Not everything could be closed.");
  await resources.close();
  expect(count).toBe(1);
});

test("at rest all let go", async () => {
  const [resources, letGo] = [new Resources(), vi.fn()];
  for (const name of ["cache", "database"]) resources.whenIdle(() => letGo(name));
  await resources.rest();
  expect(letGo.mock.calls).toEqual([["cache"], ["database"]]);
});

test("what is added while the rest is being closed is closed, too", async () => {
  const resources = new Resources();
  const closed: string[] = [];
  resources.add("outer", () => {
    resources.add("late", (name) => void closed.push(name));
    closed.push("outer");
  });
  await resources.close();
  expect(closed).toEqual(["outer", "late"]);
});
