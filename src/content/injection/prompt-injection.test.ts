import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { rotated } from "./hidden-text.ts";
import { judgePromptInjection } from "./prompt-injection.ts";

const linesOf = (name: string) =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n");

/** How attacks are hidden whose line names a way. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  hex: (text) => Buffer.from(text).toString("hex"),
  tags: (text) => String.fromCodePoint(...Array.from(text, (sign) => 0xe0000 + (sign.codePointAt(0) ?? 0))),
  zero: (text) => Array.from(text).join("\u200B"),
  rot13: rotated,
  percent: (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
};

const PAGE = "# Garden chairs\n\nChairs for gardens and balconies, made of oak.\n\n";

const attacks = linesOf("attacks.txt").map((line) => {
  const [, way = "", text = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
  const hide = WAYS[way];
  return `${PAGE}${hide ? hide(text) : line}\n\nDelivery takes three days.`;
});

/** Pages that talk about attacks and quote one; those without a quotation come in eight surroundings. */
const honest = linesOf("honest.txt").flatMap((line) =>
  [0, 1, 5, 20, 27, 36, 46, 51].map(
    (index) =>
      `${"More about this follows below. ".repeat(index % 5)}\n\n${line.replaceAll("\\n", "\n").replaceAll("QUOTE", linesOf("attacks.txt")[index] as string)}`,
  ),
);

describe("prompt injection", () => {
  test("is found in at least 95 of 100 attacks, of 60 in twelve languages and six disguises", () => {
    expect(attacks).toHaveLength(60);
    const missed = attacks.filter((text) => !judgePromptInjection(text).isInjection);
    expect(missed.slice(3)).toEqual([]);
  });

  test("is seen in at most 1 of 100 honest pages, of 200 that quote attacks or sound like them", () => {
    expect(honest).toHaveLength(200);
    const accused = honest.filter((text) => judgePromptInjection(text).isInjection);
    expect(accused.slice(2)).toEqual([]);
  });

  test.each(["ignore ", "a\u200B", '"', "`", "%41", "QUFB", "system: ", "ignore all previous "])(
    "much of %j takes little time",
    (piece) => {
      const startMs = performance.now();
      judgePromptInjection(piece.repeat(100_000 / piece.length));
      expect(performance.now() - startMs).toBeLessThan(4000);
    },
  );
});
