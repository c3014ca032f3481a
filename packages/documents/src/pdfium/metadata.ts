import type { Pdfium } from "./library.ts";

/** The entries present in the file's information dictionary (PDF 1.7, section 14.3.3). */
export type PdfMetadata = Readonly<Partial<Record<(typeof ENTRIES)[number][1], string>>>;

const ENTRIES = [
  ["Title", "title"],
  ["Author", "author"],
  ["Subject", "subject"],
  ["Creator", "creator"],
  ["Producer", "producer"],
  ["CreationDate", "creationDate"],
  ["ModDate", "modDate"],
] as const;

export function readMetadata({ call, memory }: Pdfium, document: number): PdfMetadata {
  const read = (key: string): string => {
    const name = memory.place(Buffer.from(`${key}\0`, "latin1"));
    const text = memory.text("utf16le", (pointer, size) =>
      call.FPDF_GetMetaText(document, name, pointer, size),
    );
    memory.free(name);
    return text.trim();
  };
  const values = ENTRIES.map(([key, field]) => [field, read(key)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
