import type { Extract } from "../../content/answers/passages.ts";
import type { FormatTools } from "./format.ts";
import type { PageQuestion } from "./ask.ts";

/** What is said of a format that has two ways of being made (contract, section 3.10). */
export interface Wording {
  /** What the format is called where it was made without a model. */
  readonly title: string;
  /** Said when the page has no text. */
  readonly nothing: string;
  /** Said when only a part of the page was read. */
  readonly shortened?: string;
  /** Said when the models that there are have failed. */
  readonly failed?: string;
}

/** The ways of making one format. */
export interface Ways {
  readonly wording: Wording;
  byRules(): Promise<Extract | undefined>;
  /** What a model is asked; `hint` is the answer by rules. `isWhole` tells whether all of the page fits. */
  question(maxTokens: number, hint: Extract): Promise<PageQuestion<string> & { readonly isWhole: boolean }>;
}

/** The text of a format: by a model where there is one and it answers, else by rules. Undefined when there is none. */
export async function answerEitherWay(ways: Ways, tools: FormatTools): Promise<string | undefined> {
  const { wording } = ways;
  const extract = await ways.byRules();
  if (!extract) {
    tools.warn(wording.nothing);
    return undefined;
  }
  const answered = await askModel(ways, extract, tools);
  if (answered !== undefined) return answered;
  if (!extract.isFromAll && wording.shortened !== undefined) tools.warn(wording.shortened);
  const failed = tools.model?.isSpent === false && wording.failed ? `${wording.failed} ` : "";
  tools.warn(`${failed}${wording.title} was made without a language model.`);
  tools.answeredBy("rules");
  return extract.text;
}

async function askModel(
  { wording, question }: Ways,
  hint: Extract,
  { model, warn, answeredBy }: FormatTools,
): Promise<string | undefined> {
  if (!model) return undefined;
  const { isWhole, ...asked } = await question(model.maxTokens, hint);
  const answered = await model.ask(asked);
  if (!answered) return undefined;
  if (!isWhole && wording.shortened !== undefined) warn(wording.shortened);
  answeredBy(answered.model);
  return answered.answer;
}
