import { setImmediate as nextTurn } from "node:timers/promises";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";

import { afterAll, expect, test } from "vitest";

import { limits } from "../api/limits.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { type Reply, resultReply } from "./message.ts";
import { serveLines } from "./stdio.ts";

const thread = new ForeignThread();
afterAll(() => thread.close());

/** What is answered to these pieces of input, by a server that says how long a message is. */
async function answersTo(pieces: readonly (string | Buffer)[]): Promise<readonly Reply[]> {
  const output = new PassThrough();
  const told = text(output);
  await serveLines({ input: Readable.from(pieces), output, thread }, async (message) =>
    resultReply((message as { readonly id: number }).id, JSON.stringify(message).length),
  );
  output.end();
  const lines = (await told).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Reply);
}

test("a line that is longer than a body may be is refused, and the next is answered", async () => {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  const long = Array.from({ length: limits.bodyBytes / chunk.length + 1 }, () => chunk);
  const answers = await answersTo([...long, '\n{"id":1}\n']);
  expect(answers).toEqual([
    expect.objectContaining({
      id: null,
      error: expect.objectContaining({ message: expect.stringContaining("longer than 10485760 bytes") }),
    }),
    expect.objectContaining({ id: 1, result: 8 }),
  ]);
});

test("a line of more values than are read is refused; a long one is read", async () => {
  const answers = await answersTo([
    `{"id":1,"list":[${"{},".repeat(60_000)}{}]}\n`,
    `{"id":2,"text":"${"x".repeat(2 * 1024 * 1024)}"}\n`,
  ]);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  expect(byId.get(null)?.error?.code).toBe(-32_700);
  expect(byId.get(2)?.result).toBeGreaterThan(2 * 1024 * 1024);
});

/** Messages that a client sends without end, one as large as the others. */
class Flood {
  sent = 0;

  async *messages(size: number, most: number): AsyncGenerator<string> {
    while (this.sent < most) {
      this.sent += 1;
      yield `{"jsonrpc":"2.0","id":${this.sent},"method":"a","params":{"a":"${"x".repeat(size)}"}}\n`;
      await nextTurn();
    }
  }
}

test("large messages at once are held up to a bound, and refused beyond it", async () => {
  const output = new PassThrough();
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (finish = resolve));
  const input = Readable.from(new Flood().messages(9_000_000, 9));
  const served = serveLines({ input, output, thread }, async (message) => {
    await over;
    return resultReply((message as { readonly id: number }).id, "done");
  });
  await expect.poll(() => output.readableLength, { timeout: 20_000 }).toBeGreaterThan(0);
  finish();
  await served;
  output.end();
  const lines = (await text(output)).trim().split("\n");
  const [refused, ...answered] = lines.map((line) => JSON.parse(line) as Reply);
  expect(refused).toMatchObject({ id: 9, error: { code: -32_603 } });
  expect(answered.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("nothing more is taken from a client that does not read its answers", async () => {
  const flood = new Flood();
  const output = new PassThrough();
  const large = "x".repeat(1024 * 1024);
  const served = serveLines({ input: Readable.from(flood.messages(10, 1000)), output, thread }, async () =>
    resultReply(1, large),
  );
  await expect.poll(() => output.readableLength + output.writableLength).toBeGreaterThan(16 * 1024 * 1024);
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  expect(flood.sent).toBeLessThan(60);
  output.destroy();
  await served;
  expect(flood.sent).toBe(1000);
});
