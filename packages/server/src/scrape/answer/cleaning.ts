import { z } from "zod";

import { countTokens } from "@pergamon-dev/kit/count-tokens";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import type { Ask } from "../formats/ask.ts";
import { cleaningPrompt } from "../prompts/prompts.ts";

const EMPTY = "Content cleaning was skipped because the markdown content is empty.";
const BY_RULES = "Content was cleaned without a language model.";
const FAILED = "Content cleaning by the language model failed; it was cleaned without one.";

/** Maximum share of a page that a model may leave out. More means that it misunderstood. */
const MAX_LEFT_OUT = 0.6;

/** A token has at most so many. */
const MAX_TOKEN_CHARACTERS = 4;

/** How boilerplate is removed from Markdown (contract, section 3.3). */
export interface Cleaning {
  /** Numbers of the lines to leave out, from 0. Undefined: rules decide. */
  readonly lines: readonly number[] | undefined;
  readonly warning: string | undefined;
}

const Reply = z.object({ lines: z.array(z.int()) });

/**
 * Asks a model, if there is one, for the lines to leave out. It returns only numbers, so it cannot rephrase
 * anything.
 */
export async function planCleaning(markdown: string, model: Ask | undefined): Promise<Cleaning> {
  if (markdown.trim() === "") return { lines: [], warning: EMPTY };
  if (!model) return { lines: undefined, warning: BY_RULES };
  const tokens = tokensOf(markdown, model.maxOutputTokens);
  if (tokens > model.maxOutputTokens) return { lines: [], warning: tooLong(tokens, model.maxOutputTokens) };
  const lines = markdown.split("\n");
  const answered = await model.ask({
    key: ["cleaning", markdown],
    ...cleaningPrompt(lines.map((line, number) => `${number}: ${line}`).join("\n")),
    check: (value) => checkLines(value, lines),
  });
  if (!answered) return { lines: undefined, warning: model.isSpent ? BY_RULES : FAILED };
  return { lines: JSON.parse(answered.answer) as number[], warning: undefined };
}

/** Of a text that is far too long an estimate by its beginning: this is the main thread. */
function tokensOf(markdown: string, most: number): number {
  const length = Math.min(markdown.length, most * MAX_TOKEN_CHARACTERS);
  return Math.ceil((countTokens(markdown.slice(0, length)) * markdown.length) / length);
}

function tooLong(tokens: number, most: number): string {
  return `Content cleaning was skipped because the content is too long (${tokens} tokens) for the model to return in full (max output: ${most} tokens). The original markdown has been preserved.`;
}

function checkLines(value: unknown, lines: readonly string[]): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "The field `lines`, a list of numbers, is missing." };
  const left = [...new Set(reply.lines)].filter((number) => number >= 0 && number < lines.length);
  const size = (numbers: readonly number[]) =>
    numbers.reduce((sum, number) => sum + (lines[number]?.length ?? 0), 0);
  if (size(left) > size([...lines.keys()]) * MAX_LEFT_OUT)
    return { problem: "Too many lines were left out." };
  return { answer: JSON.stringify(left) };
}
