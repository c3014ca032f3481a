import { z } from "zod";

import { wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/** Parsing of uploaded files. */
export const parsing = definePart({
  title: "Files that are sent",
  settings: z.object({
    MAX_UNPARSED_UPLOADS: wholeNumber()
      .default(10)
      .describe("upload links a team may ask for within 24 hours without parsing what was sent"),
  }),
  derive: (settings) => ({ maxUnparsedUploads: settings.MAX_UNPARSED_UPLOADS }),
});
