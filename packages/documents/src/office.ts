import type {
  Block as SourceBlock,
  CellSlot,
  Document,
  Document as SourceDocument,
  Format as FormatEnum,
  List,
  ListItem as SourceItem,
  Table,
} from "@firecrawl/anydoc";
import { decodeXML } from "entities";
import { isOleFile, oleStreamNames } from "./archives/ole-streams.ts";
import { readDelimitedText } from "./delimited-text.ts";
import { epubMarkdown } from "./epub.ts";
import { unreadable } from "./errors.ts";
import {
  type Block,
  type DocumentModel,
  type Inline,
  type ListBlock,
  type ListItem,
  PLAIN,
  plainText,
  type Slot,
  type TableBlock,
} from "./model/document.ts";
import { withBoldHeadings, withoutRepeatedHeadings } from "./model/headings.ts";
import { withCodeBlocks } from "./model/code-lines.ts";
import { documentHtml, type PageProperties } from "./model/html.ts";
import { documentMarkdown } from "./model/markdown.ts";
import { workbookBlocks } from "./model/sheets.ts";
import { withJoinedItems, withJoinedLists } from "./model/joined-lists.ts";
import { taskOf, withTasks } from "./model/tasks.ts";
import type { OfficeDocument, OfficeFile } from "./model/reader.ts";
import { ZipEntries } from "./archives/zip-entries.ts";
import { CODE_LINE, Formulas, splitCode } from "./model/marks.ts";
import { shownFile } from "./office/shown-file.ts";
import { withSlideTables } from "./office/slide-tables.ts";
import { TOO_LARGE } from "./office/xml.ts";
import { readFolder } from "./folder.ts";
import { readMail } from "./mail.ts";
import { isNotebook } from "./is-notebook.ts";
import { readNotebook } from "./notebook.ts";
import type { WorkTools } from "./work.ts";
import { type Reading, readInlines } from "./office-inlines.ts";
import { loadParser } from "./office-parser.ts";

const LAST_NUMBER = /^(.*?)(\d+)[.)]*$/;

type Format = `${FormatEnum}`;

/** Encrypted. All formats of the family are refused alike. */
const ENCRYPTED = "application/vnd.openxmlformats-officedocument";

/** What the parser does not find by the bytes, as of files from before 2007 that other programs wrote. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  [ENCRYPTED, "docx"],
  ["application/msword", "doc"],
  ["application/vnd.ms-excel", "xlsx"],
  ["application/vnd.ms-powerpoint", "ppt"],
]);

/** An archive of documents. */
const ZIP_FOLDER = "application/x-zip-compressed";

/** Types of text whose bytes do not identify it. */
const DELIMITED = /^(?:(?:text|application)\/csv|text\/tab-separated-values)$/;

const WORKBOOKS: ReadonlySet<Format> = new Set<Format>(["xlsx", "ods"]);

/** Formats in which the parser finds no headings, or only slide titles. */
const WITHOUT_HEADINGS: ReadonlySet<Format> = new Set<Format>(["ppt", "pptx", "odp"]);

const DAMAGED = "it is damaged, or no such file";

/** The parser's error codes → the problem with the file. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ["encrypted", "it is encrypted; save it without a password"],
  ["malformed", DAMAGED],
  ["missingPart", DAMAGED],
  ["unsupported", "this type of file is not supported"],
  ["resourceLimit", TOO_LARGE],
  ["ERR_BUFFER_TOO_LARGE", TOO_LARGE],
]);

/**
 * Reads a document, presentation, workbook, e-book, delimited text, mail, notebook or a folder of these. Runs native code on hostile bytes, so
 * call it only in a disposable process.
 * @throws DocumentError `unreadable-file`.
 */
export async function readOffice(
  { body, mimeType, contentType, url }: OfficeFile,
  tools?: WorkTools,
): Promise<OfficeDocument> {
  if (DELIMITED.test(mimeType)) return readDelimitedText(body, contentType);
  if (mimeType === "message/rfc822" || isOutlookMessage(body)) return readMail(body);
  if (isNotebook(body)) return readNotebook(body);
  const { formatFromBytes, toDocument } = await loadParser();
  const format = formatFromBytes(body) ?? FORMATS.get(mimeType);
  try {
    const entries = new ZipEntries(body);
    // Archives within archives are read no further.
    if (mimeType === ZIP_FOLDER) return await readFolder(entries, (file) => readOffice(file, tools), tools);
    if (format === "epub") return readBook(entries);
    const formulas = new Formulas();
    const shown = await shownFile(body, { entries, format, formulas });
    // The parser's types declare an enum that does not exist at run time.
    const source = await toDocument(shown, format as FormatEnum | undefined);
    return writeDocument(source, { entries, format, url, formulas, shown });
  } catch (failure) {
    throw refusalOf(failure);
  }
}

function readBook(entries: ZipEntries): OfficeDocument {
  const properties = officeProperties(entries);
  return { markdown: epubMarkdown(entries, properties.title), html: undefined, properties };
}

interface Origin {
  readonly entries: ZipEntries;
  readonly format: Format | undefined;
  readonly url: string;
  readonly formulas: Formulas;
  readonly shown: Uint8Array;
}

function writeDocument(source: Document, { entries, format, url, formulas, shown }: Origin): OfficeDocument {
  const read = modelOf(source, formulas);
  const model = format === "ppt" ? { ...read, blocks: withSlideTables(read.blocks, shown) } : read;
  const isWorkbook = format !== undefined && WORKBOOKS.has(format);
  const blocks = isWorkbook
    ? workbookBlocks(model.blocks, firstSheetName(entries))
    : textBlocks(model.blocks, format !== undefined && WITHOUT_HEADINGS.has(format));
  const written: DocumentModel = { ...model, blocks };
  const properties = officeProperties(entries);
  return {
    markdown: documentMarkdown(written, url),
    html: documentHtml(written, properties),
    properties,
  };
}

/** In documents with marked headings, bold lines stay bold text. */
function textBlocks(blocks: readonly Block[], hasUntoldHeadings: boolean): readonly Block[] {
  const text = withoutRepeatedHeadings(withTasks(blocks.flatMap(withoutFrame)));
  const isTold = !hasUntoldHeadings && text.some(({ kind }) => kind === "heading");
  return isTold ? text : withBoldHeadings(text);
}

/** A table of one cell is a frame around its content. */
function withoutFrame(block: Block): readonly Block[] {
  const cells = block.kind === "table" ? block.rows.flat() : [];
  return cells.length === 1 ? (cells[0]?.blocks ?? []).flatMap(withoutFrame) : [block];
}

function isOutlookMessage(body: Uint8Array): boolean {
  return isOleFile(body) && oleStreamNames(body).includes("__properties_version1.0");
}

/** Errors that are not a verdict of the parser are rethrown unchanged. */
function refusalOf(failure: unknown): unknown {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const problem = PROBLEMS.get(code);
  return problem === undefined ? failure : unreadable(problem);
}

/** In compressed bytes. Property files are short, so only their start is read. */
const PROPERTY_BYTES = 16 * 1024;
/** In compressed bytes. The first sheet's name comes after the styles. */
const WORKBOOK_BYTES = 32 * 1024;

/** Property files of the different formats. */
const PROPERTY_FILES = /^docProps\/core\.xml$|^meta\.xml$|\.opf$/;

/** Dublin Core terms → metadata names of web pages (contract, section 2.3). */
const TERMS = {
  title: "title",
  description: "description",
  language: "language",
  creator: "author",
} as const;

/** Properties of an Office Open XML, OpenDocument or EPUB file; empty for others. */
function officeProperties(entries: ZipEntries): PageProperties {
  const file = entries.names().find((name) => PROPERTY_FILES.test(name));
  const xml = (file && entries.text(file, PROPERTY_BYTES)) ?? "";
  const found = Object.entries(TERMS).map(([term, name]) => [name, termOf(xml, term)]);
  return Object.fromEntries(found.filter(([, value]) => value));
}

function termOf(xml: string, term: string): string | undefined {
  const value = new RegExp(`<dc:${term}(?:\\s[^>]*)?>([^<]*)<`).exec(xml)?.[1];
  return value && decodeXML(value).trim();
}

/** Name of the first visible sheet. Undefined if the file is damaged or not a workbook. */
function firstSheetName(entries: ZipEntries): string | undefined {
  const workbook = entries.text("xl/workbook.xml", WORKBOOK_BYTES);
  if (workbook !== undefined) return attributeOf(shownSheet(workbook), "name");
  const tag = /<table:table\s[^>]*>/.exec(entries.text("content.xml", WORKBOOK_BYTES) ?? "")?.[0];
  return attributeOf(tag, "table:name");
}

function shownSheet(workbook: string): string | undefined {
  const sheets = workbook.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? [];
  return sheets.find((sheet) => !/\sstate="(?:hidden|veryHidden)"/.test(sheet));
}

function attributeOf(tag: string | undefined, name: string): string | undefined {
  const value = tag && new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return value ? decodeXML(value[1] ?? value[2] ?? "") : undefined;
}

/** Converts the parser's result, without picture data and anchors. */
function modelOf({ blocks, notes }: SourceDocument, formulas: Formulas): DocumentModel {
  const reading = { formulas, notes: new Map(notes.map(({ id }, at) => [id, at + 1])) };
  return {
    blocks: readBlocks(blocks, reading),
    notes: notes.map((note, at) => ({ number: at + 1, blocks: readBlocks(note.blocks, reading) })),
  };
}

function readBlocks(blocks: readonly SourceBlock[], reading: Reading): readonly Block[] {
  return withCodeBlocks(withJoinedLists(blocks.flatMap((block) => readBlock(block, reading))));
}

/** A list alone may continue an item above, which is known further out. */
function readItem({ blocks }: SourceItem, reading: Reading): readonly Block[] {
  const [first, ...others] = blocks;
  const isBare = (first?.kind as string | undefined) === "list" && others.length === 0;
  return first && isBare ? readBlock(first, reading) : readBlocks(blocks, reading);
}

/** Returns no block for invisible content, and several for a block that only controls layout. */
function readBlock(block: SourceBlock, reading: Reading): readonly Block[] {
  const { level = 1, content = [], list, table, blocks = [], lang = "", text = "" } = block;
  // The parser's types declare an enum that does not exist at run time.
  switch (block.kind as string) {
    case "heading":
      return withContent("heading", level, readInlines(content, reading));
    case "paragraph":
      return withContent("paragraph", level, readInlines(content, reading));
    case "list":
      return list ? [readList(list, reading)] : [];
    case "table":
      return table ? readTable(table, reading) : [];
    case "blockQuote":
      return [{ kind: "quote", blocks: readBlocks(blocks, reading) }];
    case "codeBlock":
      return [{ kind: "code", language: lang, text: splitCode(text.replaceAll(CODE_LINE, "")).join("") }];
    case "rule":
      return [{ kind: "rule" }];
    default:
      return [];
  }
}

/** Descriptions of pictures in a file come after the text among which the pictures stand. */
function withContent(
  kind: "heading" | "paragraph",
  level: number,
  content: readonly Inline[],
): readonly Block[] {
  if (content.length === 0) return [];
  const isPicture = (inline: Inline) => inline.kind === "image" && inline.url === undefined;
  const text = content.filter((inline) => !isPicture(inline));
  const pictures = content
    .filter(isPicture)
    .map((picture): Block => ({ kind: "paragraph", content: [picture] }));
  const isShown = text.some(
    (inline) =>
      (inline.kind !== "break" && plainText([inline]).trim() !== "") ||
      inline.kind === "formula" ||
      inline.kind === "image",
  );
  if (!isShown) return pictures;
  return [kind === "heading" ? { kind, level, content: text } : { kind, content: text }, ...pictures];
}

/** A layout table is replaced by the content of its cells. */
function readTable({ grid, headerRows, kind }: Table, reading: Reading): readonly Block[] {
  const rows = grid.map((row) => row.map((slot) => readSlot(slot, reading)));
  const table: TableBlock = { kind: "table", headerRows, rows };
  return (kind as string) === "layout" ? rows.flat().flatMap((slot) => slot?.blocks ?? []) : [table];
}

function readSlot({ cell }: CellSlot, reading: Reading): Slot {
  return cell && { blocks: readBlocks(cell.blocks, reading), columns: cell.colSpan, rows: cell.rowSpan };
}

function readList({ marker, start, items }: List, reading: Reading): ListBlock {
  const isNumbered = (marker as string) !== "bullet";
  const labels = items.map((item, at) => labelOf(item, start + at, reading.label));
  // A number before another number says nothing.
  const isOrdered = isNumbered && !labels.some((label) => /\d/.test(label ?? ""));
  const read = items.map((item, at): ListItem => {
    const inner = { ...reading, label: item.markerLabel ?? (isNumbered ? String(start + at) : "") };
    const blocks = labelled(readItem(item, inner), labels[at]);
    const task = taskOf(blocks[0]);
    return {
      number: isOrdered && at === 0 ? start : undefined,
      isChecked: item.checked ?? task?.isChecked,
      blocks: task ? [...task.blocks, ...blocks.slice(1)] : blocks,
    };
  });
  return withJoinedItems({ kind: "list", isOrdered, items: read });
}

/**
 * The label of an item that list numbering cannot express; not bullets, nor "2.1" for the first item of a list in
 * the second item.
 */
function labelOf({ markerLabel }: SourceItem, number: number, around = ""): string | undefined {
  if (markerLabel === undefined || !/[\p{L}\d]/u.test(markerLabel)) return undefined;
  const [, before = "", last] = LAST_NUMBER.exec(markerLabel) ?? [];
  const isTold = last === String(number) && ["", numbersOf(around)].includes(numbersOf(before));
  return isTold ? undefined : markerLabel;
}

function numbersOf(label: string): string {
  return (label.match(/\d+/g) ?? []).join(".");
}

/** Puts the label before the item's text. */
function labelled(blocks: readonly Block[], label: string | undefined): readonly Block[] {
  if (label === undefined) return blocks;
  const text = { kind: "text", text: `${label} `, ...PLAIN } as const;
  const [first, ...others] = blocks;
  if (first?.kind !== "paragraph") return [{ kind: "paragraph", content: [text] }, ...blocks];
  return [{ ...first, content: [text, ...first.content] }, ...others];
}
