import { cutsInAddresses } from "./in-addresses.ts";
import { cutsOf } from "./cuts.ts";
import { findPersonalData } from "./find.ts";
import { readMarkdown } from "./readable.ts";
import { replaceCuts } from "./replace.ts";
import type { Redaction } from "./span.ts";

/**
 * Markdown without personal data. Links, code and tables stay what they are.
 *
 * @throws whatever goes wrong: a text that could not be looked through must not be answered.
 */
export function redactMarkdown(markdown: string, { mode, entities = [], replaceStyle }: Redaction): string {
  const readable = readMarkdown(markdown);
  const inText = findPersonalData(readable.text, mode).flatMap((span) => cutsOf(span, readable, markdown));
  const cuts = [...inText, ...cutsInAddresses(readable, markdown)]
    .filter(({ entity }) => entities.length === 0 || entities.includes(entity))
    .sort((a, b) => a.start - b.start);
  const apart = cuts.filter(
    ({ start }, index) =>
      start >= Math.max(0, ...cuts.slice(Math.max(0, index - 1), index).map(({ end }) => end)),
  );
  return replaceCuts(markdown, apart, replaceStyle);
}
