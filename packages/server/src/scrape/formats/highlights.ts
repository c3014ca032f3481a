import { z } from "zod";

import { defined } from "@pergamon-dev/kit/defined";
import { TextCitations } from "../../api/citation.ts";
import { limits } from "../../api/limits.ts";
import type { Page } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { highlightsPrompt } from "../prompts/prompts.ts";
import { passagesAt } from "@pergamon-dev/facts/answers/reading";
import type { Ask } from "./ask.ts";
import { citedText, citeSources } from "./cited-text.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat, type FormatTools } from "./format.ts";
import { answerEitherWay } from "./two-ways.ts";

const WORDING = {
  title: "Highlights",
  nothing: "Query was skipped because the markdown content is empty.",
  shortened:
    "The page was too long to process in full; the highlights were generated from the first part of it.",
  failed: "Highlights generation failed after all models.",
};

/** Maximum number of highlighted lines. */
const MAX_LINES = 20;
const Reply = z.object({ lines: z.array(z.int()).min(1).max(MAX_LINES) });

export const highlights = defineFormat({
  options: z
    .object({
      type: z.literal("highlights"),
      query: z.string().min(1).max(limits.promptLength),
      citeSources,
    })
    .describe("The lines of the page that are relevant to a query."),
  examples: [{ type: "highlights", query: "price" }],
  isRedacted: true,
  answer: {
    highlights: z.string().describe("Verbatim passages of the page, one per line."),
    highlightsCitations: TextCitations.exactOptional().describe(
      "With citeSources: where the passages stand on the page.",
    ),
  },
  retention: { leftOut: "Query mode is not supported with zero data retention." },
  model: { credits: 4 },
  coverage: NO_MODEL,
  async produce(page, options, tools) {
    const make = (within: FormatTools) => linesFor(options.query, page, within);
    if (options.citeSources !== true) return defined({ highlights: await make(tools) });
    const cited = await citedText(page, make, tools);
    return cited ? { highlights: cited.text, highlightsCitations: cited.citations } : {};
  },
});

/** Lines of the page that matter for a query. Adds the warnings that apply. */
export async function linesFor(query: string, page: Page, tools: FormatTools): Promise<string | undefined> {
  const ways = {
    wording: WORDING,
    byRules: () => page.highlights(query),
    async byModel(model: Ask) {
      const { lines, isWhole } = await page.subjectReading(model.maxTokens, query);
      const markdown = await page.subject();
      const text = lines.map((line) => `${line.number} ${line.text}`).join("\n");
      const numbers = new Set(lines.map(({ number }) => number));
      const answered = await model.ask({
        key: ["highlights", text, query],
        ...highlightsPrompt(text, query),
        check: (value) => checkLines(value, numbers, markdown),
      });
      return answered && { ...answered, ...(!isWhole && { warning: WORDING.shortened }) };
    },
  };
  const found = await answerEitherWay(ways, tools);
  return found === undefined ? undefined : ownLines(found, await page.markdown());
}

/** Leaves out lines of the main content that the Markdown of the whole page writes differently. */
function ownLines(lines: string, markdown: string): string | undefined {
  const own = lines.split("\n").filter((line) => markdown.includes(line));
  return own.length > 0 ? own.join("\n") : undefined;
}

/** A model returns only line numbers, so the text always comes from the page. */
function checkLines(value: unknown, numbers: ReadonlySet<number>, markdown: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: `It has no list of 1 to ${MAX_LINES} line numbers.` };
  const known = reply.lines.filter((number) => numbers.has(number));
  if (known.length === 0) return { problem: "None of the numbers is a line number." };
  return { answer: passagesAt(markdown, known) };
}
