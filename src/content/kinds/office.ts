import { defineKind } from "./kind.ts";
import { notReadYet } from "./unreadable.ts";

/** Documents, sheets, slides and books (contract, section 3.16d). */
export const office = defineKind({
  name: "office",
  recognisedBy: {
    types: [
      "text/csv",
      "text/tab-separated-values",
      "text/rtf",
      "application/rtf",
      "application/msword",
      "application/epub+zip",
    ],
    family:
      /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-excel|ms-powerpoint|ms-word)/,
    isBinary: true,
  },
  inBrowser: "not-shown",
  check(_options, mimeType) {
    throw notReadYet(`documents of type ${mimeType}`);
  },
  read: () => ({}),
});
