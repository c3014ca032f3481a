import type { OutlineEntry } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";

const MAX_ENTRIES = 5000;
const MAX_DEPTH = 8;

/** The file's outline, in its order. Entries that lead back to earlier ones are not followed again. */
export function readOutline(pdfium: Pdfium, document: number): readonly OutlineEntry[] {
  const { call } = pdfium;
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, depth: number): void => {
    let bookmark = call.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && entries.length < MAX_ENTRIES) {
      seen.add(bookmark);
      entries.push({ ...entryOf(pdfium, document, bookmark), depth });
      if (depth < MAX_DEPTH) walk(bookmark, depth + 1);
      bookmark = call.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  walk(0, 1);
  return entries;
}

function entryOf({ call, memory }: Pdfium, document: number, bookmark: number): Omit<OutlineEntry, "depth"> {
  const title = memory.text("utf16le", (pointer, size) =>
    call.FPDFBookmark_GetTitle(bookmark, pointer, size),
  );
  const destination = call.FPDFBookmark_GetDest(document, bookmark);
  const index = destination === 0 ? -1 : call.FPDFDest_GetDestPageIndex(document, destination);
  return { title, page: index < 0 ? undefined : index + 1 };
}
