import type { Extract } from "@pergamon-dev/facts/answers/passages";
import type { FormatTools } from "./format.ts";
import type { ModelAnswer } from "../../storage/models/language-models.ts";
import type { Ask } from "./ask.ts";

/** Warnings of a format that rules or a model can make (contract, section 3.10). */
interface Wording {
  /** Title of the format, for the warning that it was made without a language model. */
  readonly title: string;
  /** Used when the page has no text. */
  readonly nothing: string;
  /** Used when only a part of the page was read. */
  readonly shortened?: string;
  /** Used when all models have failed. */
  readonly failed?: string;
}

interface Ways {
  readonly wording: Wording;
  byRules(): Promise<Extract | undefined>;
  /** Asks a model. `hint` is the answer by rules. Undefined when the model gives no answer. */
  byModel(model: Ask, hint: Extract): Promise<ByModel | undefined>;
}

/** A model's answer, and how much of the page it did not see, if any. */
export interface ByModel extends ModelAnswer<string> {
  readonly warning?: string | undefined;
}

/**
 * Text of a format, by a model if there is one and it answers, else by rules. Undefined when there is none.
 */
export async function answerEitherWay(ways: Ways, tools: FormatTools): Promise<string | undefined> {
  const { wording } = ways;
  const extract = await ways.byRules();
  if (!extract) {
    tools.warn(wording.nothing);
    return undefined;
  }
  const answered = await askModel(ways, extract, tools);
  if (answered !== undefined) return answered;
  if (!extract.isFromAll && wording.shortened !== undefined) tools.warnPartial(wording.shortened);
  const failed = tools.model?.isSpent === false && wording.failed ? `${wording.failed} ` : "";
  tools.warn(`${failed}${wording.title} was made without a language model.`);
  tools.answeredBy("rules");
  return extract.text;
}

async function askModel(
  { byModel }: Ways,
  hint: Extract,
  { model, warnPartial, answeredBy }: FormatTools,
): Promise<string | undefined> {
  const answered = model && (await byModel(model, hint));
  if (!answered) return undefined;
  if (answered.warning !== undefined) warnPartial(answered.warning);
  answeredBy(answered.model);
  return answered.answer;
}
