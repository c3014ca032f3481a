import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Page } from "../page/page.ts";
import type { FormatTools } from "./format.ts";
import { chunkLimits, trimmed } from "./long-page.ts";
import { jsonByModel, type JsonSource } from "./json-by-model.ts";

/** Maximum parts of a page that a model is asked about. */
export const MAX_CHUNKS = 8;

const MISFITS = "These fields were left out because the values on the page do not fit the schema:";

/** Warnings about values for a schema. */
interface JsonWording {
  readonly title: string;
  /** Used when all models have failed. */
  readonly failed: string;
  /** Used when rules do not find all required values. */
  readonly nothing: string;
}

/** `value` is undefined when there is none. */
interface EitherValue {
  readonly value: unknown;
  readonly isByModel: boolean;
}

/** Values for a schema, by a model if there is one and it answers, else by rules. */
export async function jsonEitherWay(
  page: Page,
  { asked, wording }: { readonly asked: JsonRequest; readonly wording: JsonWording },
  tools: FormatTools,
): Promise<EitherValue> {
  const { url } = page.capture;
  const { value: hint, leftOut, hinted, warnings = [] } = await page.json(asked, url);
  for (const warning of warnings) tools.warn(warning);
  const chunks =
    tools.model &&
    hinted?.isAll !== true &&
    (await page.chunks(chunkLimits(tools.model, MAX_CHUNKS), wordsOfRequest(asked)));
  const answered = chunks && (await answerOf(asked, { ...chunks, url, hint, hinted }, tools));
  if (answered) {
    tools.answeredBy(answered.model);
    return { value: answered.value, isByModel: true };
  }
  if (leftOut.length > 0) tools.warn(`${MISFITS} ${leftOut.join(", ")}.`);
  const failed = tools.model?.isSpent === false ? `${wording.failed} ` : "";
  if (hint === undefined) {
    tools.warn(wording.nothing);
    return { value: undefined, isByModel: false };
  }
  if (hinted?.isAll !== true) tools.warn(`${failed}${wording.title} was made without a language model.`);
  tools.answeredBy("rules");
  return { value: hint, isByModel: false };
}

async function answerOf(asked: JsonRequest, source: JsonSource, { model, warnPartial }: FormatTools) {
  if (!model || source.chunks.length === 0) return undefined;
  const answered = await jsonByModel(asked, source, model);
  if (answered && !source.isWhole) warnPartial(trimmed(source.tokens, model.maxTokens * MAX_CHUNKS));
  return answered;
}

/** Words that rank the parts of a page by relevance to the request. */
export function wordsOfRequest({ prompt = "", schema }: JsonRequest): string {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return [prompt, ...Object.keys(isJsonObject(properties) ? properties : {})].join(" ");
}
