import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { htmlToMarkdown } from "@pergamon-dev/html";

import type { ZipEntries } from "./archives/zip-entries.ts";
import { DocumentError, unreadable } from "./errors.ts";
import type { OfficeDocument, OfficeFile } from "./model/reader.ts";
import { fenced } from "./notebook.ts";
import { readPdf } from "./read-pdf.ts";
import type { WorkTools } from "./work.ts";

const MAX_FILES = 500;
/** Of all files together, once unpacked. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
const MAX_PDF_PAGES = 1000;
const MAX_PDF_MS = 60_000;

/** Files that computers add. */
const UNSEEN = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;

/** Types of files whose bytes do not identify them, by extension. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv"],
  ["tsv", "text/tab-separated-values"],
  ["eml", "message/rfc822"],
  ["mht", "message/rfc822"],
  ["mhtml", "message/rfc822"],
]);
const BY_BYTES = /^(?:doc[xm]?|od[tsp]|rtf|xls[xmb]?|ppt[xm]?|ppsx|epub|msg|ipynb|csv|tsv|eml|mhtml?)$/;
const TEXT = /^(?:md|markdown|txt|text|adoc|asciidoc|rst|vtt|srt|log)$/;
const DATA = /^(?:json|xml|ya?ml|toml)$/;

/**
 * Reads the documents of an archive, each below its name. Archives in it are not opened, and files that cannot be
 * read are named.
 * @throws DocumentError `unreadable-file` if it has none, or too much.
 */
export async function readFolder(
  entries: ZipEntries,
  read: (file: OfficeFile) => Promise<OfficeDocument>,
  tools: WorkTools | undefined,
): Promise<OfficeDocument> {
  const names = entries.names().filter((name) => !name.endsWith("/") && !UNSEEN.test(name));
  if (names.length === 0) throw unreadable("it is an empty archive, or a damaged one");
  if (entries.unpackedBytes > MAX_UNPACKED_BYTES) throw unreadable("it holds more than can be read");
  let leftBytes = MAX_UNPACKED_BYTES;
  const parts: string[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const body = entries.bytes(name, Math.max(1, leftBytes));
    leftBytes -= body?.length ?? 0;
    const text = body && (await fileMarkdown(name, body, { read, tools }));
    parts.push(`## ${name.replace(/[\\\u0060*_[\]<>]/g, "\\$&")}${text ? `\n\n${text}` : ""}`);
  }
  return { markdown: parts.join("\n\n"), html: undefined, properties: {} };
}

interface Readers {
  readonly read: (file: OfficeFile) => Promise<OfficeDocument>;
  readonly tools: WorkTools | undefined;
}

async function fileMarkdown(name: string, body: Uint8Array, { read, tools }: Readers): Promise<string> {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  try {
    if (extension === "pdf" && tools) return await pdfMarkdown(body, tools);
    if (BY_BYTES.test(extension))
      return (await read({ body, mimeType: TYPES.get(extension) ?? "", url: "" })).markdown;
    if (/^x?html?$/.test(extension)) return htmlToMarkdown(body);
    if (TEXT.test(extension)) return decodeBody(body, undefined).trim();
    return DATA.test(extension) ? fenced(decodeBody(body, undefined).trim(), extension) : "";
  } catch (failure) {
    if (failure instanceof DocumentError) return "";
    throw failure;
  }
}

async function pdfMarkdown(bytes: Uint8Array, tools: WorkTools): Promise<string> {
  const options = { mode: "auto", maxPages: MAX_PDF_PAGES, pageMarkers: false, languages: [] } as const;
  const order = { bytes, options, from: 1, maxPages: MAX_PDF_PAGES, maxMs: MAX_PDF_MS };
  return (await readPdf(order, tools)).document?.markdown ?? "";
}
