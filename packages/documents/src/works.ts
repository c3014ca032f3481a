import { drawPdfPage } from "./draw-pdf-page.ts";
import { readOffice } from "./office.ts";
import { layOutPdf } from "./pdf-layout.ts";
import { readPdf } from "./read-pdf.ts";
import { readPicture } from "./read-picture.ts";
import type { Work } from "./work.ts";

/** One line per kind of work for reader processes. */
export const works = {
  readPdf,
  layOutPdf,
  drawPdfPage,
  readOffice,
  readPicture,
} satisfies Readonly<Record<string, Work>>;

type Works = typeof works;
export type WorkName = keyof Works;
export type OrderOf<Name extends WorkName> = Parameters<Works[Name]>[0];
export type ResultOf<Name extends WorkName> = Awaited<ReturnType<Works[Name]>>;
