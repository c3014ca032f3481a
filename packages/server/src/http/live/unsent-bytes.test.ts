import { EventEmitter } from "node:events";

import { expect, test } from "vitest";
import type { WebSocket } from "ws";

import { UnsentBytes } from "./unsent-bytes.ts";

const MEGABYTE = 1024 * 1024;

class Connection extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount: number;

  constructor(unsentMegabytes: number) {
    super();
    this.bufferedAmount = unsentMegabytes * MEGABYTE;
  }

  terminate(): void {
    this.readyState = 3;
    this.emit("close");
  }
}

function connect(unsent: UnsentBytes, teamId: string, megabytes: readonly number[]): readonly Connection[] {
  return megabytes.map((size) => {
    const connection = new Connection(size);
    unsent.add(teamId, connection as unknown as WebSocket);
    return connection;
  });
}

const openOf = (connections: readonly Connection[]) => connections.map(({ readyState }) => readyState === 1);

test("the connections that hold the most are ended until the rest of the team's fits", () => {
  const unsent = new UnsentBytes();
  const others = connect(unsent, "other", [60]);
  const own = connect(unsent, "own", [10, 40, 0, 30, 20]);
  unsent.makeRoom("own");
  expect(openOf(own)).toEqual([true, false, true, true, true]);
  expect(openOf(others)).toEqual([true]);
});

test("a thousand that never read hold no more than their team may", () => {
  const unsent = new UnsentBytes();
  const own = connect(
    unsent,
    "own",
    Array.from({ length: 1000 }, () => 8),
  );
  unsent.makeRoom("own");
  expect(openOf(own).filter(Boolean)).toHaveLength(8);
});

test("one alone may hold what it was sent", () => {
  const unsent = new UnsentBytes();
  const own = connect(unsent, "own", [100]);
  unsent.makeRoom("own");
  expect(openOf(own)).toEqual([true]);
});
