import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { boundedRecord } from "./bounded-record.ts";

const MAX_VALUES = 2000;

/** Where a value of an answer stands. `page`, `bbox` and `text` are those of the public service. */
const Citation = z.strictObject({
  url: z.string().describe("The page."),
  text: z.string().describe("The text that the value is from."),
  markdownSpan: z
    .tuple([z.int().min(0), z.int().min(0)])
    .exactOptional()
    .describe("[start, end) of the text in UTF-16 code units of the Markdown of this request."),
  selector: z.string().exactOptional().describe("CSS selector of the element with the text."),
  page: z.int().min(1).exactOptional().describe("Page of a PDF, from 1."),
  bbox: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .exactOptional()
    .describe("[x0, y0, x1, y1] on that page as fractions of its size, from the top left corner."),
  foundBy: z
    .enum(["data", "metadata", "label", "table", "card", "name", "link", "selector", "rule", "model"])
    .describe(
      "Structured data, metadata of the head, a label, a column, a place in a card, a class or name of the element, the target of a link, a selector of the schema, a rule for such values, or a model.",
    ),
  confidence: z.number().min(0).max(1).describe("How sure it is that this is the value, and its place."),
});

export const Citations = boundedRecord(z.array(Citation), MAX_VALUES);

/** Of an agent's answer. */
export const AgentCitations = lazy(() =>
  boundedRecord(
    z.array(Citation.extend({ snapshotId: z.string().describe("The page's text that the span is in.") })),
    MAX_VALUES,
  ),
);

/** Of a text, in the order of the page. */
export const TextCitations = z.array(Citation);
