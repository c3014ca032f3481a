import { expect, test } from "vitest";

import { writeMarkdown } from "./blocks-markdown.ts";
import { failedPage, type LaidOutBlock, type LaidOutPage } from "../layout/laid-out-page.ts";

function block(text: string, facts: Partial<LaidOutBlock> = {}): LaidOutBlock {
  const look = { isBold: false, isItalic: false, isMonospaced: false, script: undefined, url: undefined };
  return {
    type: "text",
    label: undefined,
    isShown: true,
    box: [10, 10, 90, 20],
    source: "native_text",
    confidence: { layout: undefined, ocr: undefined },
    body: { kind: "text", runs: [{ text, ...look }] },
    seam: undefined,
    isNextOfList: false,
    ...facts,
  };
}

function page(number: number, ...blocks: readonly LaidOutBlock[]): LaidOutPage {
  return { number, width: 100, height: 200, status: "ok", blocks };
}

test("pages are joined by a blank line, or by a marker with the number of the page that follows", () => {
  const pages = [page(1, block("one")), page(2), page(3, block("three"))];
  expect(writeMarkdown(pages, { pageMarkers: false }).markdown).toBe("one\n\nthree");
  expect(writeMarkdown(pages, { pageMarkers: true }).markdown).toBe("one\n\n---\n\n<!-- page 3 -->\n\nthree");
});

test("a page whose first paragraph belongs to the page before has its marker after it", () => {
  const pages = [
    page(1, block("a sentence that")),
    page(2, block("goes on.", { seam: "space" }), block("Another.")),
  ];
  expect(writeMarkdown(pages, { pageMarkers: true }).markdown).toBe(
    "a sentence that goes on.\n\n---\n\n<!-- page 2 -->\n\nAnother.",
  );
});

test("every span cuts exactly the block's content, and boxes are shares of the page", () => {
  const hidden = block("Head", { type: "page_header", isShown: false });
  const pages = [
    page(1, hidden, block("a bro-")),
    page(2, block("ken word", { seam: "closed hyphen" }), block("# no heading")),
  ];
  const { markdown, blocks } = writeMarkdown(pages, { pageMarkers: true });
  expect(markdown).toBe("a broken word\n\n---\n\n<!-- page 2 -->\n\n\\# no heading");
  const items = blocks.flatMap((one) => one.items);
  expect(items.map(({ id }) => id)).toEqual(["p1.b0", "p1.b1", "p2.b0", "p2.b1"]);
  expect(items.map(({ content }) => content)).toEqual(["Head", "a bro", "ken word", "\\# no heading"]);
  for (const { markdownSpan, content } of items.slice(1))
    expect(markdown.slice(...(markdownSpan ?? []))).toBe(content);
  expect(items[0]).toMatchObject({
    markdownSpan: null,
    bbox: [0.1, 0.05, 0.9, 0.1],
    confidence: { layout: null, ocr: null },
  });
});

test("items that follow closely are one block, with the place of all", () => {
  const item = (text: string, y0: number, isNextOfList: boolean) => {
    const { body } = block(text);
    const runs = body.kind === "text" ? body.runs : [];
    const box = [10 + y0, y0, 90, y0 + 10] as const;
    return block(text, {
      label: "list_item",
      box,
      isNextOfList,
      body: { kind: "item", depth: 0, marker: "-", runs },
    });
  };
  const items = [
    item("one", 10, false),
    item("two", 20, true),
    item("three", 30, true),
    item("four", 60, false),
  ];
  const { blocks, markdown } = writeMarkdown([page(1, ...items, block("end"))], { pageMarkers: false });
  const [list, alone, end] = blocks[0]?.items ?? [];
  expect(list).toMatchObject({
    id: "p1.b0",
    label: "list",
    content: "- one\n- two\n- three",
    bbox: [0.2, 0.05, 0.9, 0.2],
  });
  expect(markdown.slice(...(list?.markdownSpan ?? []))).toBe(list?.content);
  expect(alone).toMatchObject({ id: "p1.b1", label: "list_item", content: "- four", readingOrder: 1 });
  expect(end).toMatchObject({ id: "p1.b2", content: "end" });
});

test("each page's Markdown is what its blocks gave", () => {
  const { pages } = writeMarkdown([page(1, block("one"), block("two")), page(2, block("three"))], {
    pageMarkers: true,
  });
  expect(pages).toEqual([
    { pageNumber: 1, markdown: "one\n\ntwo" },
    { pageNumber: 2, markdown: "three" },
  ]);
});

test("a page that failed has no blocks", () => {
  const { blocks } = writeMarkdown([failedPage(4)], { pageMarkers: false });
  expect(blocks).toEqual([{ pageNumber: 4, width: null, height: null, status: "failed", items: [] }]);
});
