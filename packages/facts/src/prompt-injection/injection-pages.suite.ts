import { readFileSync } from "node:fs";

import { rotated } from "./prompt-injection.ts";

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

const attackLines = linesOf("attacks.txt");

/** Pages with an attack each, in twelve languages and six disguises. */
export const attacks: readonly string[] = attackLines.map((line) => {
  const [, way = "", text = ""] = /^(\w+): (.*)$/.exec(line) ?? [];
  const hide = WAYS[way];
  return `${PAGE}${hide ? hide(text) : line}\n\nDelivery takes three days.`;
});

/** Pages that talk about attacks and quote one; those without a quotation come in eight surroundings. */
export const honest: readonly string[] = linesOf("honest.txt").flatMap((line) =>
  [0, 1, 5, 20, 27, 36, 46, 51].map(
    (index) =>
      `${"More about this follows below. ".repeat(index % 5)}\n\n${line.replaceAll("\\n", "\n").replaceAll("QUOTE", attackLines[index] as string)}`,
  ),
);
