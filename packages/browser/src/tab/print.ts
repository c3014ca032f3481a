import type { BrowserTab } from "./tab.ts";

/** Width and height in portrait orientation, in inches. */
export const paperSizes = {
  A0: [33.11, 46.81],
  A1: [23.39, 33.11],
  A2: [16.54, 23.39],
  A3: [11.69, 16.54],
  A4: [8.27, 11.69],
  A5: [5.83, 8.27],
  A6: [4.13, 5.83],
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
} as const satisfies Record<string, readonly [number, number]>;

export type PaperFormat = keyof typeof paperSizes;

interface PrintOrder {
  readonly format: PaperFormat;
  readonly landscape: boolean;
  /** 0.1 to 2. */
  readonly scale: number;
}

/** Prints the page as a PDF, with its backgrounds. */
export async function printPage(
  tab: BrowserTab,
  { format, landscape, scale }: PrintOrder,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [paperWidth, paperHeight] = paperSizes[format];
  const { data } = await tab.session.send(
    "Page.printToPDF",
    { paperWidth, paperHeight, landscape, scale, printBackground: true },
    { signal },
  );
  return Buffer.from(data, "base64");
}
