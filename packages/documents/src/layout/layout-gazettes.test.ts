import { expect, test } from "vitest";

import { pdfPage, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { Look, Word } from "./page/page.ts";

const STARTS = [40, 172, 304, 436];

function markdownOf(words: readonly Word[]): string {
  return writeMarkdown(layOut([draftPage(pdfPage({ words }))], []), { pageMarkers: false }).markdown;
}

/** Sections one after the other, in columns of this many characters and lines. */
function inColumns(
  sections: readonly (readonly [head: string, text: string])[],
  { characters, look }: { readonly characters: number; readonly look: Partial<Look> },
): Word[] {
  const lines = sections.flatMap(([head, text]) => {
    const own = [""];
    for (const word of text.split(" ")) {
      const line = own.at(-1) ?? "";
      if (line.length + word.length < characters) own[own.length - 1] = `${line} ${word}`.trim();
      else own.push(word);
    }
    return [{ text: head, look }, ...own.map((line) => ({ text: line, look: {} }))];
  });
  const height = Math.ceil(lines.length / STARTS.length);
  return lines.flatMap((line, at) => {
    const column = Math.floor(at / height);
    return wordsAt(STARTS[column] ?? 0, 100 + 12 * (at % height), line.text, line.look);
  });
}

/** The page as in a mirror: what was at the left is at the right. */
const mirrored = (words: readonly Word[]): Word[] =>
  words.map((word) => ({ ...word, x0: 600 - word.x1, x1: 600 - word.x0 }));

/** One long sentence. */
const sentence = (words: string, start: number): string => {
  const all = words.split(" ");
  const text = Array.from({ length: 44 }, (_none, at) => all[(at * (start + 1)) % all.length]);
  return `${text.join(" ")}.`;
};

test.each([
  ["Latin", "gates keep slow barges waiting below narrow bridges while anchored crews sleep", false],
  ["Hebrew", "גשר ישן שומר על נהר שקט בעמק רחב ליד משרד קטן של אבן", true],
])(
  "columns of level lines are read one after the other, heads above their sections: %s",
  (_script, words, isMirrored) => {
    const sections = [1, 2, 3, 4, 5].map(
      (at) =>
        [
          `${at}. ${words
            .split(" ")
            .slice(at, at + 2)
            .join(" ")}`,
          sentence(words, at),
        ] as const,
    );
    const page = inColumns(sections, { characters: 22, look: { isBold: true } });
    const blocks = markdownOf(isMirrored ? mirrored(page) : page).split("\n\n");
    expect(blocks.map((block) => block.replace(/^#+ /, "").replaceAll("\\", ""))).toEqual(sections.flat());
  },
);

test("an italic head a little larger than its text is apart", () => {
  const italic = { isItalic: true, size: 10.8 };
  const words = [
    ...wordsAt(40, 100, "The crew has gone ashore and sleeps.", {}),
    ...wordsAt(40, 116, "Gates and the barges that wait before", italic),
    ...wordsAt(40, 129, "Barges keep waiting below narrow bridges", {}),
    ...wordsAt(40, 141, "while anchored crews sleep.", {}),
  ];
  expect(markdownOf(words).split("\n\n").at(-1)).toBe(
    "Barges keep waiting below narrow bridges while anchored crews sleep.",
  );
});

test("a short line ends no paragraph if the next word has no room behind it", () => {
  const lines = ["Slow barges wait.", "Superintendents", "sleep below narrow", "bridges for a day."];
  const words = lines.flatMap((line, at) => wordsAt(40, 100 + 12 * at, line));
  const longer = wordsAt(40, 148, "They keep the gates open");
  expect(markdownOf([...words, ...longer])).toMatch(/^Slow barges wait\. Superintendents sleep/);
});
