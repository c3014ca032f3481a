import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";

import { afterAll, expect, test } from "vitest";

import { limits } from "../contract/limits.ts";
import { ForeignThread } from "../kit/foreign/thread.ts";
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
