import { z } from "zod";

import { type PaperFormat, paperSizes, printPage } from "@pergamon-dev/browser/tab/print";
import { defineAction } from "./action.ts";

const formats = Object.keys(paperSizes) as PaperFormat[];

export const pdf = defineAction({
  options: z.object({
    type: z.literal("pdf"),
    format: z.enum(formats).default("Letter"),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1).describe("0.1 to 2."),
  }),
  hasEffects: false,
  leaves: "pdfs",
  keepsFile: true,
  async run(order, { tab, results, signal }) {
    results.pdfs.push({ bytes: await printPage(tab, order, signal), contentType: "application/pdf" });
  },
});
