/** A document, book, presentation or workbook as plain data, from any format. */
export interface DocumentModel {
  readonly blocks: readonly Block[];
  /** In the order in which the text refers to them. */
  readonly notes: readonly Note[];
}

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | ListBlock
  | TableBlock
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" };

export interface ListBlock {
  readonly kind: "list";
  readonly isOrdered: boolean;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** What an item of an ordered list counts; undefined: one more than the item before. */
  readonly number: number | undefined;
  /** Of a task: whether it is done. */
  readonly isChecked: boolean | undefined;
  readonly blocks: readonly Block[];
}

export interface TableBlock {
  readonly kind: "table";
  /** How many of the first rows are the table's head. */
  readonly headerRows: number;
  /** As many slots in each row as the table has columns. */
  readonly rows: readonly (readonly Slot[])[];
}

/** A cell at its first row and column; undefined where a cell from the left or from above reaches. */
export type Slot = Cell | undefined;

export interface Cell {
  readonly blocks: readonly Block[];
  /** At least 1. */
  readonly columns: number;
  readonly rows: number;
}

export type Inline =
  | TextRun
  | { readonly kind: "link"; readonly url: string; readonly content: readonly Inline[] }
  /** Without an address when the picture is a part of the file. */
  | { readonly kind: "image"; readonly alt: string; readonly url: string | undefined }
  /** Refers to the note of that number. */
  | { readonly kind: "note"; readonly number: number }
  | { readonly kind: "break" };

export interface TextRun {
  readonly kind: "text";
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isStruck: boolean;
  readonly isCode: boolean;
}

/** How text looks that nothing is said of. */
export const PLAIN = { isBold: false, isItalic: false, isStruck: false, isCode: false } as const;

/** A footnote or an endnote. */
export interface Note {
  /** From 1. */
  readonly number: number;
  readonly blocks: readonly Block[];
}

/** The characters of inline content, without what they look like. */
export function plainText(content: readonly Inline[]): string {
  return content.map(textOf).join("");
}

function textOf(inline: Inline): string {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "link":
      return plainText(inline.content);
    case "break":
      return "\n";
    default:
      return "";
  }
}
