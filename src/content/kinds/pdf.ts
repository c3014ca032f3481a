import { defineKind } from "./kind.ts";
import { notReadYet } from "./unreadable.ts";

/** Handed over as base64 when it is not to be parsed (contract, section 3.16b). */
export const pdf = defineKind({
  name: "pdf",
  recognisedBy: {
    types: ["application/pdf", "application/x-pdf"],
    magic: { bytes: "%PDF-", type: "application/pdf" },
    isBinary: true,
  },
  inBrowser: "not-shown",
  check({ parsers }) {
    if (parsers.some(({ type }) => type === "pdf")) throw notReadYet("PDF files");
  },
  read: () => ({}),
});
