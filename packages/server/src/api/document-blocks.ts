import { z } from "zod";

import type { PageBlocks } from "@pergamon-dev/documents/model/blocks";
import type { Immutable } from "./immutable.ts";

/** Types of blocks (interface document, section 2.5). Clients must expect further types. */
const blockTypes = [
  "title",
  "section_header",
  "text",
  "table",
  "formula",
  "figure",
  "caption",
  "page_number",
  "page_header",
  "page_footer",
] as const;

const Share = z.number().min(0).max(1);

/** One block of a page (interface document, section 2.5). */
export const DocumentBlock = z.strictObject({
  id: z
    .string()
    .regex(/^p\d+\.b\d+$/)
    .describe("p<page>.b<index in reading order>."),
  type: z.enum(blockTypes),
  label: z.string().nullable().describe("A finer type, such as list, list_item or footnote."),
  bbox: z
    .tuple([Share, Share, Share, Share])
    .nullable()
    .describe("[x0, y0, x1, y1] as fractions of the page size, from the top left corner."),
  content: z.string().describe("The Markdown of the block."),
  markdownSpan: z
    .tuple([z.int().min(0), z.int().min(0)])
    .nullable()
    .describe("[start, end) in UTF-16 code units of the Markdown; null when the Markdown was changed later."),
  readingOrder: z.int().min(0).describe("Position in the reading order of the page: 0, 1, 2 …"),
  source: z
    .string()
    .nullable()
    .describe("Where the text comes from, such as native_text, layout_ocr or tesseract."),
  confidence: z.strictObject({ layout: Share.nullable(), ocr: Share.nullable() }),
});
export type DocumentBlock = Immutable<z.output<typeof DocumentBlock>>;

/** The blocks of one parsed page. */
export const DocumentPageBlocks = z.strictObject({
  pageNumber: z.int().min(1).describe("Page number in the file, from 1."),
  width: z.number().nullable().describe("Width in pixels at 200 dpi; null when the page could not be read."),
  height: z.number().nullable(),
  status: z.enum(["ok", "partial", "failed"]),
  items: z.array(DocumentBlock),
}) satisfies z.ZodType<PageBlocks>;
export type DocumentPageBlocks = Immutable<z.output<typeof DocumentPageBlocks>>;
