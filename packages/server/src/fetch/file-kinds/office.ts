import type { OfficeProblem } from "@pergamon-dev/documents/model/office-reading";
import { defineKind } from "./kind.ts";
import { officeTypeOf } from "./office-type.ts";
import { unreadableFile } from "@pergamon-dev/documents/model/unreadable";

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** One line per sort of file: documents, sheets, slides and books (contract, section 3.16d). */
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
];

const REASONS: Readonly<Record<OfficeProblem, string>> = {
  encrypted: "it is encrypted; save it without a password",
  damaged: "it is damaged, or no such file",
  unsupported: "this type of file is not supported",
  "too-large": "it is larger, once unpacked, than is read",
};

/** Documents, sheets, slides and books (contract, section 3.16d). */
export const office = defineKind({
  name: "office",
  recognisedBy: { types: TYPES, typeWithin: officeTypeOf, typeOfText, isBinary: true },
  inBrowser: "not-shown",
  isReadElsewhere: true,
  async read({ body, mimeType, url }, { documents, signal, stage }) {
    const { document, problem } = await documents.read("readOffice", { body, mimeType, url }, signal);
    if (!document) throw unreadableFile(mimeType, REASONS[problem]);
    const { markdown, html, properties } = document;
    const { parsedParts } = await import("./rendered-parts.ts");
    return {
      markdown: () => markdown,
      html: () => html,
      rawHtml: () => html,
      metadata: () => ({ ...properties }),
      ...parsedParts(() => html, { stage }),
    };
  },
});

/** What servers name by the program that opens it. Other types are believed. */
function typeOfText(declared: string): string {
  if (declared === "application/vnd.ms-excel") return "text/csv";
  return declared === "application/msword" ? "text/plain" : declared;
}
