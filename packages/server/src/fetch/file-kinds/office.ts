import { defineKind } from "./kind.ts";
import { isOleFile, oleStreamNames } from "@pergamon-dev/documents/archives/ole-streams";
import { isNotebook } from "@pergamon-dev/documents/is-notebook";
import { ZipEntries } from "@pergamon-dev/documents/archives/zip-entries";

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

const NOTEBOOK = "application/x-ipynb+json";
const ZIP_FOLDER = "application/x-zip-compressed";

/** One line per type of file: documents, sheets, slides and books (contract, section 3.16d). */
const TYPES = [
  // An encrypted file does not show which of the family it is.
  OPEN_XML,
  `${OPEN_XML}.wordprocessingml.document`,
  "application/vnd.ms-word.document.macroenabled.12",
  "application/msword",
  `${OPEN_DOCUMENT}.text`,
  "application/rtf",
  "text/rtf",
  `${OPEN_XML}.spreadsheetml.sheet`,
  "application/vnd.ms-excel.sheet.macroenabled.12",
  "application/vnd.ms-excel.sheet.binary.macroenabled.12",
  "application/vnd.ms-excel",
  `${OPEN_DOCUMENT}.spreadsheet`,
  "text/csv",
  "application/csv",
  "text/tab-separated-values",
  `${OPEN_XML}.presentationml.presentation`,
  `${OPEN_XML}.presentationml.slideshow`,
  "application/vnd.ms-powerpoint.presentation.macroenabled.12",
  "application/vnd.ms-powerpoint",
  `${OPEN_DOCUMENT}.presentation`,
  "application/epub+zip",
  "message/rfc822",
  "application/vnd.ms-outlook",
  NOTEBOOK,
  // Archives with documents; others have another type.
  ZIP_FOLDER,
];

/** Documents, sheets, slides and books (contract, section 3.16d). */
export const office = defineKind({
  name: "office",
  recognisedBy: { types: TYPES, typeWithin: officeTypeOf, typeOfText, isBinary: true },
  inBrowser: "not-shown",
  isReadElsewhere: true,
  async read({ body, mimeType, contentType, url }, tools) {
    const file = { body, mimeType, contentType, url };
    const { markdown, html, properties } = await tools.documents.readOffice(file, tools.signal);
    const { parsedParts, renderedParts } = await import("./rendered-parts.ts");
    const parts =
      html === undefined
        ? renderedParts(markdown, tools)
        : { html: () => html, ...parsedParts(() => html, tools) };
    return { markdown: () => markdown, rawHtml: parts.html, metadata: () => ({ ...properties }), ...parts };
  },
});

/** Corrects types that servers choose by the program that opens the file. Other types are believed. */
function typeOfText(declared: string): string {
  if (declared === "application/vnd.ms-excel") return "text/csv";
  return declared === "application/msword" ? "text/plain" : declared;
}

/** Compressed bytes of an archive's list of types that are read. */
const TYPES_BYTES = 16 * 1024;

/** Streams of documents from before 2007, and of encrypted ones. */
const STREAM_TYPES: ReadonlyMap<string, string> = new Map([
  ["WORDDOCUMENT", "application/msword"],
  ["WORKBOOK", "application/vnd.ms-excel"],
  ["BOOK", "application/vnd.ms-excel"],
  ["POWERPOINT DOCUMENT", "application/vnd.ms-powerpoint"],
  ["ENCRYPTEDPACKAGE", OPEN_XML],
  ["__PROPERTIES_VERSION1.0", "application/vnd.ms-outlook"],
]);

/** Type of the main part of an Office Open XML file → type of the file. */
const MAIN_PARTS: readonly (readonly [part: RegExp, type: string])[] = [
  [/wordprocessingml\.(?:document|template)\.main\+xml/, `${OPEN_XML}.wordprocessingml.document`],
  [/ms-word\.(?:document|template)\.macroEnabled/, "application/vnd.ms-word.document.macroenabled.12"],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml/, `${OPEN_XML}.spreadsheetml.sheet`],
  [/ms-excel\.sheet\.binary\.macroEnabled/, "application/vnd.ms-excel.sheet.binary.macroenabled.12"],
  [/ms-excel\.(?:sheet|template)\.macroEnabled/, "application/vnd.ms-excel.sheet.macroenabled.12"],
  [
    /presentationml\.(?:presentation|template|slideshow)\.main\+xml/,
    `${OPEN_XML}.presentationml.presentation`,
  ],
  [
    /ms-powerpoint\.(?:presentation|template|slideshow)\.macroEnabled/,
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
  ],
];

/** MIME type of a document by its bytes. Undefined when they do not identify it. */
function officeTypeOf(body: Uint8Array): string | undefined {
  if (startsWith(body, "{\\rtf")) return "application/rtf";
  if (isOleFile(body)) return oleType(body);
  if (isNotebook(body)) return NOTEBOOK;
  return startsWith(body, "PK\x03\x04") ? zipType(body) : undefined;
}

function oleType(body: Uint8Array): string | undefined {
  return oleStreamNames(body)
    .map((name) => STREAM_TYPES.get(name.toUpperCase()))
    .find((type) => type !== undefined);
}

/** OpenDocument files and books have a file with their type. Others list the types of their parts. */
function zipType(body: Uint8Array): string | undefined {
  const entries = new ZipEntries(body);
  const own = /^[\w.+/-]{3,100}$/.exec(entries.text("mimetype", TYPES_BYTES)?.trim() ?? "")?.[0];
  if (own !== undefined) return own.toLowerCase().replace(/-template$/, "");
  const parts = entries.text("[Content_Types].xml", TYPES_BYTES) ?? "";
  const main = MAIN_PARTS.find(([part]) => part.test(parts))?.[1];
  if (main !== undefined || parts !== "") return main;
  return entries.names().some((name) => DOCUMENT.test(name)) ? ZIP_FOLDER : undefined;
}

/** Names that make an archive a folder of documents. Texts alone do not: they are in archives of programs, too. */
const DOCUMENT = /\.(?:docx?|odt|rtf|xlsx?|ods|pptx?|odp|epub|pdf|eml|msg|mhtml?|ipynb|csv|tsv)$/i;

function startsWith(body: Uint8Array, magic: string): boolean {
  return Buffer.from(body.subarray(0, magic.length)).toString("latin1") === magic;
}
