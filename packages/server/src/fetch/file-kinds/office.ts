import { defineKind } from "./kind.ts";
import { officeTypeOf } from "./office-type.ts";

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

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
];

/** Documents, sheets, slides and books (contract, section 3.16d). */
export const office = defineKind({
  name: "office",
  recognisedBy: { types: TYPES, typeWithin: officeTypeOf, typeOfText, isBinary: true },
  inBrowser: "not-shown",
  isReadElsewhere: true,
  async read({ body, mimeType, url }, { documents, signal, stage }) {
    const file = { body, mimeType, url };
    const { markdown, html, properties } = await documents.readOffice(file, signal);
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

/** Corrects types that servers choose by the program that opens the file. Other types are believed. */
function typeOfText(declared: string): string {
  if (declared === "application/vnd.ms-excel") return "text/csv";
  return declared === "application/msword" ? "text/plain" : declared;
}
