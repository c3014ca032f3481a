import type { JsonWish } from "../../content/extraction/extract-json.ts";
import type { Page } from "../../page/page.ts";
import type { FormatTools } from "./format.ts";
import { jsonByModel, type JsonSource } from "./json-by-model.ts";

/** Parts of a page that a model is asked about. */
export const MOST_CHUNKS = 8;
/** What a question has beside the text of the page, of its tokens. */
export const PAGE_SHARE = 0.9;

/** What is said of values for a schema. */
export interface JsonWording {
  readonly title: string;
  /** Said when the models that there are have failed. */
  readonly failed: string;
  /** Said when rules find not all that is required. */
  readonly nothing: string;
}

/** Values for a schema: by a model where there is one and it answers, else by rules. Undefined when there are none. */
export async function jsonEitherWay(
  page: Page,
  { wish, wording }: { readonly wish: JsonWish; readonly wording: JsonWording },
  tools: FormatTools,
): Promise<unknown> {
  const { url } = page.capture;
  const hint = await page.json(wish, url);
  const asked =
    tools.model && (await page.chunks(Math.floor(tools.model.maxTokens * PAGE_SHARE), MOST_CHUNKS));
  const answered = asked && (await answerOf(wish, { ...asked, url, hint }, tools));
  if (answered) {
    tools.answeredBy(answered.model);
    return answered.value;
  }
  const failed = tools.model?.isSpent === false ? `${wording.failed} ` : "";
  if (hint === undefined) {
    tools.warn(wording.nothing);
    return undefined;
  }
  tools.warn(`${failed}${wording.title} was made without a language model.`);
  tools.answeredBy("rules");
  return hint;
}

async function answerOf(wish: JsonWish, source: JsonSource, { model, warn }: FormatTools) {
  if (!model || source.chunks.length === 0) return undefined;
  const answered = await jsonByModel(wish, source, model);
  if (answered && !source.isWhole) warn(trimmed(source.tokens, model.maxTokens * MOST_CHUNKS));
  return answered;
}

/** Said of text that models were not shown (contract, section 3.10). */
function trimmed(tokens: number, most: number): string {
  return `The extraction content would have used more tokens (${tokens}) than the maximum we allow (${most}). -- the input has been automatically trimmed.`;
}
