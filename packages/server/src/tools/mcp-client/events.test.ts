import { expect, test } from "vitest";

import { readEvents } from "./server.ts";

async function* streamOf(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function* forever(text: string) {
  const chunk = Buffer.from(text.repeat(1000));
  for (;;) yield chunk;
}

async function eventsOf(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const events: string[] = [];
  for await (const event of readEvents(chunks, Number.POSITIVE_INFINITY)) events.push(event);
  return events;
}

test("lines of data make an event, which ends with an empty line or with the stream", async () => {
  const stream = streamOf("id: 1\ndata: a\nda", "ta: b\n\n: comment\n\ndata: c\n");
  expect(await eventsOf(stream)).toEqual(["a\nb", "c"]);
});

test.each([`data: ${"x".repeat(1000)}\n`, "data: x", "data:\n"])(
  "an event of %j without end is too long, in a stream that may be of any length",
  async (text) => {
    await expect(eventsOf(forever(text))).rejects.toThrow(RangeError);
  },
);
