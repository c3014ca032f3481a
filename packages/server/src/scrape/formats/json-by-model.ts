import { unsupportedClaims } from "@pergamon-dev/facts/answers/unsupported";
import { conform } from "@pergamon-dev/facts/extraction/conform";
import type { HintedValue } from "@pergamon-dev/facts/extraction/extracted";
import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { withHinted } from "@pergamon-dev/facts/extraction/hints";
import { mergeValues } from "@pergamon-dev/facts/extraction/merge";
import { modelSchema } from "@pergamon-dev/facts/extraction/schema/model-schema";
import { saidBy } from "@pergamon-dev/facts/extraction/on-page";
import { asksForNothing, readSchema } from "@pergamon-dev/facts/extraction/schema/read-schema";
import { dropIncomplete } from "@pergamon-dev/facts/extraction/schema/drop-incomplete";
import type { Chunks } from "@pergamon-dev/facts/answers/chunks";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { jsonPrompt } from "../prompts/prompts.ts";
import type { Ask, PageQuestion } from "./ask.ts";

export interface JsonSource extends Chunks {
  readonly url: string;
  /** Values that rules found. */
  readonly hint: unknown;
  /** Values that hints of the schema found. Models do not decide about them. */
  readonly hinted?: HintedValue | undefined;
}

interface JsonByModel {
  readonly value: unknown;
  readonly model: string;
}

/**
 * Asks about each part of a page and joins the answers. Undefined when a part got no answer, or required
 * values are missing.
 */
export async function jsonByModel(
  asked: JsonRequest,
  source: JsonSource,
  model: Ask,
): Promise<JsonByModel | undefined> {
  const answers = await Promise.all(
    source.chunks.map((chunk) => model.ask(questionAbout(chunk, asked, source))),
  );
  const given = answers.flatMap((answer) => answer ?? []);
  const [first] = given;
  if (!first || given.length < answers.length) return undefined;
  const merged = mergeValues(given.map(({ answer }) => JSON.parse(answer) as unknown));
  // Parts of a page without any values answer null.
  const said = merged ?? undefined;
  const wanted = asksForNothing(asked.schema) ? undefined : readSchema(asked.schema);
  const value = wanted ? dropIncomplete(wanted, withHinted(wanted, said, source.hinted)) : said;
  return value === undefined ? undefined : { value, model: first.model };
}

function questionAbout(
  chunk: string,
  { schema, prompt }: JsonRequest,
  { url, hint, hinted, chunks }: JsonSource,
): PageQuestion<string> {
  const isWhole = chunks.length === 1;
  return {
    key: ["json", chunk, url, schema, prompt],
    ...jsonPrompt(chunk, { url, prompt, hint: isWhole ? hint : undefined, schema: modelSchema(schema) }),
    check: checker(schema, {
      isWhole,
      hinted,
      page: [chunk, url, JSON.stringify([hint, hinted?.value])].join("\n"),
    }),
  };
}

/** Asks once more about values that are not on the page, then leaves them out. */
function checker(
  schema: unknown,
  {
    isWhole,
    hinted,
    page,
  }: { readonly isWhole: boolean; readonly hinted: HintedValue | undefined; readonly page: string },
) {
  const isOpen = asksForNothing(schema);
  const wanted = isOpen ? undefined : readSchema(schema);
  const isSaid = saidBy(page);
  let isAskedAgain = false;
  return (said: unknown): Checked<string> => {
    if (!wanted) return checkOpen(said, page);
    const value = withHinted(wanted, said, hinted);
    const { problems } = conform(value, wanted);
    const serious = isWhole ? problems : problems.filter((problem) => !problem.endsWith("is required."));
    if (serious.length > 0) return { problem: serious.join(" ") };
    const invented: string[] = [];
    const believed = conform(value, wanted, (one) => {
      if (!isSaid(one)) invented.push(String(one));
      return isSaid(one);
    });
    if (invented.length > 0 && !isAskedAgain) {
      isAskedAgain = true;
      return { problem: `The page does not say: ${invented.slice(0, 5).join(", ").slice(0, 300)}.` };
    }
    if (isWhole && invented.length > 0 && isEmpty(believed.value))
      return { problem: "None of these values are on the page." };
    return { answer: JSON.stringify(believed.value ?? null) };
  };
}

/** Whether it contains no single value. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== "object") return value === undefined;
  return value === null || Object.values(value).every(isEmpty);
}

/** Without a schema, figures and addresses must be on the page. */
function checkOpen(value: unknown, page: string): Checked<string> {
  if (typeof value !== "object" || value === null) return { problem: "It must be an object." };
  const answer = JSON.stringify(value);
  const invented = unsupportedClaims(answer, page);
  return invented.length > 0
    ? { problem: `The page does not say: ${invented.slice(0, 5).join(", ")}.` }
    : { answer };
}
