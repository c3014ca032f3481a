import { type Document, type Format as FormatEnum, formatFromBytes, toDocument } from "@firecrawl/anydoc";

import type { Block, DocumentModel } from "./model/document.ts";
import { withBoldHeadings, withoutRepeatedHeadings } from "./model/headings.ts";
import { documentHtml } from "./model/html.ts";
import { documentMarkdown } from "./model/markdown.ts";
import { workbookBlocks } from "./model/sheets.ts";
import { withTasks } from "./model/tasks.ts";
import type { OfficeDocument, OfficeFile, OfficeProblem, OfficeReading } from "./model/office-reading.ts";
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

const WORKBOOKS: ReadonlySet<Format> = new Set<Format>(["xlsx", "ods"]);

/** Formats in which the parser finds no headings, or none but titles of slides. */
const WITHOUT_HEADINGS: ReadonlySet<Format> = new Set<Format>(["rtf", "ppt", "pptx", "odp"]);

/** The parser's codes → what is wrong with the file. */
const PROBLEMS: ReadonlyMap<unknown, OfficeProblem> = new Map<unknown, OfficeProblem>([
  ["encrypted", "encrypted"],
  ["malformed", "damaged"],
  ["missingPart", "damaged"],
  ["unsupported", "unsupported"],
  ["resourceLimit", "too-large"],
]);

/**
 * Reads a document, presentation, workbook, book or table of values. Runs native code on hostile bytes: to be called in
 * a process that may die.
 */
export async function readOffice({ body, mimeType, url }: OfficeFile): Promise<OfficeReading> {
  const format: Format | undefined = FORMATS.get(mimeType) ?? formatFromBytes(body) ?? undefined;
  try {
    const entries = new ZipEntries(body);
    const shown = format === "xlsx" ? await withFormulas(body, entries) : body;
    // The parser's types name an enumeration that it does not have at run time.
    const source = await toDocument(shown, format as FormatEnum | undefined);
    return { document: writeDocument(source, { entries, format, url }) };
  } catch (failure) {
    return { problem: problemOf(failure) };
  }
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

/** @throws what is not a verdict of the parser. */
function problemOf(failure: unknown): OfficeProblem {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  const problem = PROBLEMS.get(code);
  if (problem === undefined) throw failure;
  return problem;
}
