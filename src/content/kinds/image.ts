import { defineKind } from "./kind.ts";
import { notReadYet, unsupportedFile } from "./unreadable.ts";

/**
 * Pictures that text can be read from. An empty list of parsers switches all parsing off, and they come back as base64
 * like PDFs; a list that names others refuses them (contract, section 3.16c).
 */
export const image = defineKind({
  name: "image",
  recognisedBy: {
    types: [
      "image/png",
      "image/jpeg",
      "image/gif",
      "image/bmp",
      "image/tiff",
      "image/jp2",
      "image/webp",
      "image/avif",
    ],
    isBinary: true,
  },
  inBrowser: "shown",
  check({ parsers }, mimeType) {
    if (parsers.some(({ type }) => type === "image")) throw notReadYet("images");
    if (parsers.length > 0) throw unsupportedFile(mimeType);
  },
  read: () => ({}),
});
