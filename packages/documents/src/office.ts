import { type Document, type Format as FormatEnum, formatFromBytes, toDocument } from "@firecrawl/anydoc";

import { unreadable } from "./errors.ts";
import type { Block, DocumentModel } from "./model/document.ts";
import { withBoldHeadings, withoutRepeatedHeadings } from "./model/headings.ts";
import { documentHtml } from "./model/html.ts";
import { documentMarkdown } from "./model/markdown.ts";
import { workbookBlocks } from "./model/sheets.ts";
import { withTasks } from "./model/tasks.ts";
import type { OfficeDocument, OfficeFile } from "./model/reader.ts";
import { ZipEntries } from "./archives/zip-entries.ts";
import { withFormulas } from "./office-formulas.ts";
import { modelOf } from "./office-model.ts";
import { firstSheetName, officeProperties } from "./office-properties.ts";

type Format = `${FormatEnum}`;

/** Types of files whose bytes do not say what they are → how they are read. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["text/csv", "csv"],
  ["application/csv", "csv"],
  ["text/tab-separated-values", "csv"],
  // Encrypted; every format of the family is refused alike.
  ["application/vnd.openxmlformats-officedocument", "docx"],
]);

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Between values of a table in text: tab, comma, semicolon, bar. */
const SEPARATORS: ReadonlySet<number> = new Set(Buffer.from("\t,;|"));
/**
 * Rows × columns of a table in text, as wide as its longest line. The parser lays out all of them, those that are not
 * there as well: so many take it seconds. A table whose lines are alike has no more of them than it has bytes.
 */
const MAX_AREA = 10_000_000_000;

const WORKBOOKS: ReadonlySet<Format> = new Set<Format>(["xlsx", "ods"]);

/** Formats in which the parser finds no headings, or none but titles of slides. */
const WITHOUT_HEADINGS: ReadonlySet<Format> = new Set<Format>(["rtf", "ppt", "pptx", "odp"]);

const DAMAGED = "it is damaged, or no such file";
const TOO_LARGE = "it is larger, once unpacked, than is read";

/** The parser's codes → what is wrong with the file. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ["encrypted", "it is encrypted; save it without a password"],
  ["malformed", DAMAGED],
  ["missingPart", DAMAGED],
  ["unsupported", "this type of file is not supported"],
  ["resourceLimit", TOO_LARGE],
]);

/**
 * Reads a document, presentation, workbook, book or table of values. Runs native code on hostile bytes: to be called in
 * a process that may die.
 * @throws DocumentError `unreadable-file`.
 */
export async function readOffice({ body, mimeType, url }: OfficeFile): Promise<OfficeDocument> {
  const format: Format | undefined = FORMATS.get(mimeType) ?? formatFromBytes(body) ?? undefined;
  if (format === "csv" && areaOf(body) > MAX_AREA) throw unreadable(TOO_LARGE);
  try {
    const entries = new ZipEntries(body);
    const shown = format === "xlsx" ? await withFormulas(body, entries) : body;
    // The parser's types name an enumeration that it does not have at run time.
    const source = await toDocument(shown, format as FormatEnum | undefined);
    return writeDocument(source, { entries, format, url });
  } catch (failure) {
    throw refusalOf(failure);
  }
}

function areaOf(table: Uint8Array): number {
  let rows = 1;
  let width = 1;
  let longest = 1;
  for (const byte of table) {
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      rows += 1;
      width = 1;
    } else if (SEPARATORS.has(byte)) {
      width += 1;
      longest = Math.max(longest, width);
    }
  }
  return rows * longest;
}

interface Origin {
  readonly entries: ZipEntries;
  readonly format: Format | undefined;
  readonly url: string;
}

function writeDocument(source: Document, { entries, format, url }: Origin): OfficeDocument {
  const model = modelOf(source);
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

/** Documents with marked headings keep bold lines as they are. */
function textBlocks(blocks: readonly Block[], hasUntoldHeadings: boolean): readonly Block[] {
  const text = withoutRepeatedHeadings(withTasks(blocks));
  const isTold = !hasUntoldHeadings && text.some(({ kind }) => kind === "heading");
  return isTold ? text : withBoldHeadings(text);
}

/** What is not a verdict of the parser is thrown as it is. */
function refusalOf(failure: unknown): unknown {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const problem = PROBLEMS.get(code);
  return problem === undefined ? failure : unreadable(problem);
}
