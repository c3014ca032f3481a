/** The common model of documents, e-books, presentations and workbooks of any format. */
export interface DocumentModel {
  readonly blocks: readonly Block[];
  /** In the order of their references in the text. */
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
  /** Number of an item in an ordered list; undefined means one more than the item before. */
  readonly number: number | undefined;
  /** For task items: whether the box is checked. */
  readonly isChecked: boolean | undefined;
  readonly blocks: readonly Block[];
}

export interface TableBlock {
  readonly kind: "table";
  /** Number of leading head rows. */
  readonly headerRows: number;
  /** Every row has one slot per column of the table. */
  readonly rows: readonly (readonly Slot[])[];
}

/** A cell is in its first row and column. Undefined where a cell from the left or from above extends. */
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
  /** No URL if the picture is embedded in the file. */
  | { readonly kind: "image"; readonly alt: string; readonly url: string | undefined }
  /** References the note with that number. */
  | { readonly kind: "note"; readonly number: number }
  | { readonly kind: "formula"; readonly mathMl: string }
  | { readonly kind: "break" };

export interface TextRun {
  readonly kind: "text";
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isStruck: boolean;
  readonly isCode: boolean;
}

/** Default text style. */
export const PLAIN = { isBold: false, isItalic: false, isStruck: false, isCode: false } as const;

/** A footnote or an endnote. */
export interface Note {
  /** From 1. */
  readonly number: number;
  readonly blocks: readonly Block[];
}

/** The text of inline content, without styles. */
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
