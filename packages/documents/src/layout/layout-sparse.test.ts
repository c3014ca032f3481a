import { describe, expect, test } from "vitest";

import { linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { PdfPage } from "./page/page.ts";

function convert(...pages: readonly PdfPage[]) {
  return writeMarkdown(layOut(pages.map(draftPage), []), { pageMarkers: false });
}

const STAMP = wordsAt(50, 40, "Copy for the buyer");

describe("a document with hardly any text", () => {
  test("shows what stands at the edges of its pages", () => {
    const words = [...STAMP, ...wordsAt(60, 300, "Received with thanks.")];
    expect(convert(pdfPage({ words })).markdown).toBe("Copy for the buyer\n\nReceived with thanks.");
  });

  test("shows it on none of its pages when one of them has more text", () => {
    const heads = [1, 2, 3].map((number) =>
      pdfPage({ number, words: [...STAMP, ...wordsAt(60, 300, "Received with thanks.")] }),
    );
    const full = pdfPage({ number: 4, words: [...STAMP, ...linesAt(50, 120, proseLines(20))] });
    expect(convert(...heads, full).markdown).not.toContain("Copy");
  });

  test("does not show the number of a page beside its text", () => {
    const words = [...wordsAt(60, 300, "Received with thanks."), ...wordsAt(290, 770, "7")];
    const { markdown, blocks } = convert(pdfPage({ words }));
    expect(markdown).toBe("Received with thanks.");
    expect(blocks[0]?.items.at(-1)).toMatchObject({ type: "page_number", content: "7" });
  });
});

test("the box of a text has room for its letters above and below", () => {
  const [block] = convert(pdfPage({ words: linesAt(60, 400, proseLines(2)) })).blocks[0]?.items ?? [];
  const [, top = 0, , bottom = 0] = block?.bbox ?? [];
  expect([top, bottom].map((share) => Math.round(share * 800))).toEqual([391, 415]);
});
