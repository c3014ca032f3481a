import type { Extract } from "../../content/answers/passages.ts";
import type { FormatTools } from "./format.ts";

/** What is said of a format that is answered from the page's own sentences (contract, section 3.10). */
export interface Wording {
  /** What the format is called where it was made without a model. */
  readonly title: string;
  /** Said when the page has no text. */
  readonly nothing: string;
  /** Said when only the first part of the page was read. */
  readonly shortened?: string;
}

/** The text of an extract, with the warnings that belong to it. Undefined when there is none. */
export function answerByRules(
  extract: Extract | undefined,
  { title, nothing, shortened }: Wording,
  { warn, answeredBy }: FormatTools,
): string | undefined {
  if (!extract) {
    warn(nothing);
    return undefined;
  }
  if (!extract.isFromAll && shortened !== undefined) warn(shortened);
  warn(`${title} was made without a language model.`);
  answeredBy("rules");
  return extract.text;
}
