import { defineKind } from "./kind.ts";
import { readerIn } from "./reader-in.ts";

export const html = defineKind({
  name: "html",
  recognisedBy: {
    types: ["text/html", "application/xhtml+xml"],
    opening: { pattern: /^<(?:!doctype html|html|head|body|!--|[a-z][a-z0-9]*[\s>])/, type: "text/html" },
    isBinary: false,
  },
  inBrowser: "rendered",
  read: readerIn(async () => (await import("./read-html.ts")).readHtml),
});
