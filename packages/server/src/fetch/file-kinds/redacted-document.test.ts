import { expect, test } from "vitest";

import type { DocumentBlock } from "../../api/document-blocks.ts";
import { redactDocument } from "./redacted-document.ts";

const REDACTION = { mode: "fast", replaceStyle: "tag" } as const;

function blockOf(content: string, start: number, index: number): DocumentBlock {
  return {
    id: `p1.b${index}`,
    type: "text",
    label: null,
    bbox: [0, 0, 1, 1],
    content,
    markdownSpan: [start, start + content.length],
    readingOrder: index,
    source: "native_text",
    confidence: { layout: null, ocr: null },
  };
}

test("pages and blocks of a document lose what its Markdown loses, and spans fit what is left", () => {
  const first = "Write to jane@doe.example for more.";
  const second = "Nothing is secret here.";
  const markdown = `${first}\n\n${second}`;
  const items = [blockOf(first, 0, 0), blockOf(second, first.length + 2, 1)];
  const blocks = [{ pageNumber: 1, width: null, height: null, status: "ok" as const, items }];
  const facts = { numPages: 1, totalPages: 1, pages: [{ pageNumber: 1, markdown }], blocks };
  const redacted = redactDocument(facts, markdown, REDACTION);
  const whole = redacted.pages?.[0]?.markdown ?? "";
  expect(whole).toBe(`Write to <EMAIL> for more.\n\n${second}`);
  for (const { content, markdownSpan } of redacted.blocks?.[0]?.items ?? []) {
    expect(markdownSpan && whole.slice(...markdownSpan)).toBe(content);
  }
  expect(JSON.stringify(redacted)).not.toContain("jane@doe.example");
});
