import { setImmediate as nextTurn } from "node:timers/promises";

import { afterAll, expect, test } from "vitest";

import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { parseMessage } from "./read-message.ts";

const thread = new ForeignThread();
afterAll(() => thread.close());

const large = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "x".repeat(3_000_000) }] } };

test("a large message is not parsed on the main thread", async () => {
  let isRead = false;
  const reading = parseMessage(JSON.stringify(large), thread).finally(() => (isRead = true));
  await nextTurn();
  expect(isRead).toBe(false);
  expect(await reading).toEqual(large);
});

test("a small message is parsed at once", async () => {
  let isRead = false;
  void parseMessage('{"id":1}', thread).finally(() => (isRead = true));
  await nextTurn();
  expect(isRead).toBe(true);
});

test.each(["", "{", `[${"{},".repeat(60_000)}{}]`, "[".repeat(200)])(
  "what cannot be read is undefined",
  async (text) => {
    expect(await parseMessage(text, thread)).toBeUndefined();
  },
);

test("ends with its signal", async () => {
  const ended = AbortSignal.abort(new Error("gone"));
  await expect(parseMessage(JSON.stringify(large), thread, ended)).rejects.toThrow("gone");
});
