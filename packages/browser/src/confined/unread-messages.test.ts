import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { UnreadMessages } from "./unread-messages.ts";

const MEGABYTE = "x".repeat(1024 * 1024);

/** A client that reads on command. */
class Client {
  isGone = false;
  readonly #waiting: (() => void)[] = [];

  send(...[, , done]: readonly [string, unknown?, (() => void)?]): void;
  send(_text: unknown, done?: unknown): void {
    this.#waiting.push(done as () => void);
  }

  read(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  terminate(): void {
    this.isGone = true;
  }
}

function fill(unread: UnreadMessages, client: Client, megabytes: number): void {
  for (let count = 0; count < megabytes; count += 1) unread.send(client, MEGABYTE);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("clients of a session that do not read lose their connection, those with the most first", () => {
  const unread = new UnreadMessages();
  const [slow, other] = [new Client(), new Client()];
  fill(unread, slow, 15);
  fill(unread, other, 10);
  expect(slow.isGone).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect([slow.isGone, other.isGone]).toEqual([true, false]);
});

test("who reads in time stays", () => {
  const unread = new UnreadMessages();
  const client = new Client();
  fill(unread, client, 30);
  vi.advanceTimersByTime(9000);
  client.read();
  vi.advanceTimersByTime(20_000);
  fill(unread, client, 15);
  vi.advanceTimersByTime(20_000);
  expect(client.isGone).toBe(false);
});

test("one large answer is waited for, many are not", () => {
  const unread = new UnreadMessages();
  const [reader, hoarder] = [new Client(), new Client()];
  unread.send(reader, MEGABYTE.repeat(100));
  fill(unread, reader, 10);
  expect(reader.isGone).toBe(false);
  reader.read();
  for (let count = 0; count < 3; count += 1) unread.send(hoarder, MEGABYTE.repeat(40));
  expect(hoarder.isGone).toBe(true);
});
