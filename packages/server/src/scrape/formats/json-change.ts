import { chunksOf } from "@pergamon-dev/facts/answers/chunks";
import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Page } from "../page/page.ts";
import type { FormatTools } from "./format.ts";
import { jsonByModel } from "./json-by-model.ts";
import { MAX_CHUNKS, wordsOfRequest } from "./json-either-way.ts";
import { chunkLimits } from "./long-page.ts";

const FAILED = "Structured diff generation failed.";
const BY_RULES = "Change tracking JSON was made without a language model.";

interface TwoVersions {
  readonly before: string;
  readonly after: string;
}

/** A value before and after. Null when the version does not have it. */
interface ChangedValue {
  readonly previous: unknown;
  readonly current: unknown;
}

/**
 * Values for a schema in two versions of a page, by property, including unchanged ones. The same producer
 * makes both from the same kind of text, so that a change of producer never looks like a change of the page.
 */
export async function jsonChange(
  page: Page,
  { versions, asked }: { readonly versions: TwoVersions; readonly asked: JsonRequest },
  tools: FormatTools,
): Promise<Readonly<Record<string, ChangedValue>>> {
  const { before, after } = versions;
  const { url } = page.capture;
  const byRules = await Promise.all([before, after].map((text) => page.jsonOfText(text, asked, url)));
  const byModel = await bothByModel(versions, { asked, url, hints: byRules }, tools);
  if (!byModel) tools.warn(tools.model?.isSpent === false ? `${FAILED} ${BY_RULES}` : BY_RULES);
  tools.answeredBy(byModel?.model ?? "rules");
  const [previous, current] = byModel?.values ?? byRules;
  return comparedValues(asked, previous, current);
}

interface ModelQuestion {
  readonly asked: JsonRequest;
  readonly url: string;
  readonly hints: readonly unknown[];
}

/** Undefined unless a model answered for both versions. */
async function bothByModel(
  { before, after }: TwoVersions,
  { asked, url, hints }: ModelQuestion,
  { model }: FormatTools,
) {
  if (!model) return undefined;
  const limits = chunkLimits(model, MAX_CHUNKS / 2);
  const answers = await Promise.all(
    [before, after].map((text, index) => {
      const chunks = chunksOf(text, limits, wordsOfRequest(asked));
      return jsonByModel(asked, { ...chunks, url, hint: hints[index] }, model);
    }),
  );
  const [one, other] = answers;
  return one && other ? { values: [one.value, other.value], model: other.model } : undefined;
}

function comparedValues(
  { schema }: JsonRequest,
  previous: unknown,
  current: unknown,
): Readonly<Record<string, ChangedValue>> {
  const [before, after] = [previous, current].map(membersOf);
  const named =
    isJsonObject(schema) && isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const found = [before, after].flatMap((members) => Object.keys(members ?? {}));
  const names = named.length > 0 ? named : [...new Set(found)];
  return Object.fromEntries(
    names.map((name) => [name, { previous: memberOf(before, name), current: memberOf(after, name) }]),
  );
}

/** Returns a list as the items of an object. */
function membersOf(value: unknown): JsonObject {
  if (Array.isArray(value)) return { items: value };
  return isJsonObject(value) ? value : {};
}

function memberOf(members: JsonObject | undefined, name: string): unknown {
  return ownProperty(members ?? {}, name) ?? null;
}
