import { defineKind } from "./kind.ts";
import { unsupportedFile } from "./unreadable.ts";

/** All other files: archives, films, programs (contract, section 3.16f). */
export const unsupported = defineKind({
  name: "unsupported",
  recognisedBy: { types: [], family: /./, isBinary: true },
  inBrowser: "not-shown",
  isLeft: () => true,
  check(_options, mimeType) {
    throw unsupportedFile(mimeType);
  },
  read: () => ({}),
});
