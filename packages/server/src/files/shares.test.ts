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

test("a connection that carries requests of many teams gets one listener, and gives all of them back", () => {
  const shares = new Shares(1);
  const [proxy, other] = [new EventEmitter(), new EventEmitter()];
  const teams = Array.from({ length: 20 }, (_, team) => `team ${team}`);
  expect(teams.every((team) => shares.take(team, proxy))).toBe(true);
  expect(proxy.listenerCount("close")).toBe(1);
  expect(teams.some((team) => shares.take(team, other))).toBe(false);
  proxy.emit("close");
  expect(teams.every((team) => shares.take(team, other))).toBe(true);
});
