import { EventEmitter } from "node:events";

import { expect, test } from "vitest";

import { Shares } from "./shares.ts";

test("a team has its share of connections, until they close", () => {
  const shares = new Shares(2);
  const [one, two, three] = [new EventEmitter(), new EventEmitter(), new EventEmitter()] as const;
  expect([one, one, two, three].map((connection) => shares.take("a", connection))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(shares.take("b", one)).toBe(true);
  two.emit("close");
  expect(shares.take("a", three)).toBe(true);
});
