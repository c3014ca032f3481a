import type { PageParts, Part } from "./page-parts.ts";
import { romanValue } from "./text/markers.ts";

const PAGE_NUMBER =
  /^(?:page\s*)?[-–—([|]?\s*(\d{1,4}|[ivxlc]{1,7})\s*[-–—)\]|]?(?:\s*(?:of|\/|von|de)\s*\d{1,4})?$/i;

export function isPageNumber(text: string): boolean {
  return PAGE_NUMBER.test(text);
}

/** Texts whose numbers rise in step with the pages, on at least two pages. */
export function numbersInSequence(pages: readonly PageParts[]): ReadonlySet<Part> {
  const byOffset = new Map<number, { readonly parts: Part[]; readonly pages: Set<number> }>();
  for (const page of pages)
    for (const part of page.parts) {
      const value = part.kind === "text" ? valueOf(part.text) : undefined;
      if (value === undefined) continue;
      const found = byOffset.get(value - page.number) ?? { parts: [], pages: new Set() };
      found.parts.push(part);
      byOffset.set(value - page.number, { ...found, pages: found.pages.add(page.number) });
    }
  const sequences = [...byOffset.values()].filter((one) => one.pages.size > 1);
  return new Set(sequences.flatMap(({ parts }) => parts));
}

function valueOf(text: string): number | undefined {
  const sign = PAGE_NUMBER.exec(text)?.[1];
  if (sign === undefined) return undefined;
  return /\d/.test(sign) ? Number(sign) : romanValue(sign);
}
