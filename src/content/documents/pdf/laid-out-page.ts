import type { Box } from "./page.ts";

/** A page after both passes. */
export interface LaidOutPage {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly status: "ok" | "partial" | "failed";
  readonly blocks: readonly LaidOutBlock[];
}

export interface LaidOutBlock {
  readonly text: string;
  readonly box: Box;
  readonly source: "native_text" | "layout_ocr";
  readonly ocr: number | null;
}

/** A page that could not be read. */
export function failedPage(number: number): LaidOutPage {
  return { number, width: 0, height: 0, status: "failed", blocks: [] };
}
