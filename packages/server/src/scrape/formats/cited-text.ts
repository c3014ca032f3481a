import { z } from "zod";

import type { Page } from "../page/page.ts";
import type { PageCitation } from "../page/page-values.ts";
import type { FormatTools } from "./format.ts";

export const citeSources = z
  .boolean()
  .optional()
  .describe("Also say which parts of the page the text is from.");

interface CitedText {
  readonly text: string;
  readonly citations: readonly PageCitation[];
}

/** A text with the parts of the page that it is from, whoever made it. Undefined when there is no text. */
export async function citedText(
  page: Page,
  make: (tools: FormatTools) => Promise<string | undefined>,
  tools: FormatTools,
): Promise<CitedText | undefined> {
  let foundBy: "rule" | "model" = "rule";
  const text = await make({
    ...tools,
    answeredBy(answerer) {
      foundBy = answerer === "rules" ? "rule" : "model";
      tools.answeredBy(answerer);
    },
  });
  if (text === undefined) return undefined;
  return { text, citations: await page.textCitations({ text, foundBy }, page.capture.url) };
}
