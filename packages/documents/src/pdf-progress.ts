/** How far the reading of a file is. */
export interface PdfProgress {
  /** Pages that are wanted, of those that the file has. */
  readonly pages: number;
  readonly done: number;
  /** Spent on the pages that are done. */
  readonly spentMs: number;
}

/** Time that the layout of the document takes, as a share of the time for reading it: 0.25 by measurement. */
const LAYOUT_SHARE = 0.3;

/** How long the rest is going to take, judged by what is done. */
export function remainingMs({ pages, done, spentMs }: PdfProgress): number {
  if (done === 0) return 0;
  const perPageMs = spentMs / done;
  return (pages - done) * perPageMs + pages * perPageMs * LAYOUT_SHARE;
}
