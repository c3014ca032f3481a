import { expect, test } from "vitest";

import { SharedDocuments } from "./job-sockets.ts";

function open(answer: (scrapeId: string) => Promise<string | undefined>) {
  const asked: string[] = [];
  const documents = new SharedDocuments({
    async answer(scrapeId) {
      asked.push(scrapeId);
      return answer(scrapeId);
    },
  });
  return { asked, documents };
}

test("a thousand who want a document at once, and those who come a little later, have it read once", async () => {
  const { asked, documents } = open(async (scrapeId) => `{"of":"${scrapeId}"}`);
  const texts = await Promise.all(Array.from({ length: 1000 }, () => documents.answer("a")));
  expect(new Set([...texts, await documents.answer("a")])).toEqual(new Set(['{"of":"a"}']));
  expect(asked).toEqual(["a"]);
});

test("they are sent the same bytes", async () => {
  const { documents } = open(async () => undefined);
  const message = await documents.message('{"a":1}');
  expect(message.toString()).toBe('{"type":"document","data":{"a":1}}');
  expect(await documents.message('{"a":1}')).toBe(message);
});

test("what is not there, or could not be read, is asked for again", async () => {
  const { asked, documents } = open(async (scrapeId) => {
    if (scrapeId === "broken") throw new Error("The disk is gone.");
    return undefined;
  });
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await documents.answer("gone")).toBeUndefined();
    await expect(documents.answer("broken")).rejects.toThrow("The disk is gone.");
  }
  expect(asked).toEqual(["gone", "broken", "gone", "broken"]);
});
