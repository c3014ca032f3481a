import { defineKind } from "./kind.ts";
import { unsupportedFile } from "./unreadable.ts";

/**
 * Pictures with text for OCR. An empty list of parsers switches all parsing off, and they are returned as
 * base64 like PDFs. A list with other parsers refuses them (contract, section 3.16c).
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
      "image/jpx",
      "image/j2c",
      "image/webp",
      "image/avif",
    ],
    isBinary: true,
  },
  inBrowser: "shown",
  isReadElsewhere: true,
  isLeft: ({ parsers }) => parsers.length === 0,
  check({ parsers }, mimeType) {
    const isWanted = parsers.some(({ type }) => type === "image");
    if (!isWanted && parsers.length > 0) throw unsupportedFile(mimeType);
  },
  async read({ body, mimeType, options }, tools) {
    if (options.parsers.length === 0) return {};
    const file = { body, mimeType, languages: options.languages };
    const { markdown } = await tools.documents.readPicture(file, tools.signal);
    const { renderedParts } = await import("./rendered-parts.ts");
    const { html, tree } = renderedParts(markdown, tools);
    return {
      markdown: () => markdown,
      html,
      rawHtml: html,
      metadata: () => ({}),
      document: () => ({ numPages: 1, totalPages: 1 }),
      tree,
    };
  },
});
