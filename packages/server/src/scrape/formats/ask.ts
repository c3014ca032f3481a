import type { Stages } from "@pergamon-dev/kit/stages";
import type { ModelQuestion } from "../../storage/models/ask-endpoint.ts";
import type { ModelAnswer } from "../../storage/models/language-models.ts";

/** A question about a page. */
export interface PageQuestion<Answer> extends Omit<ModelQuestion<Answer>, "maxOutputTokens"> {
  /** What the answer follows from, as plain data: two questions with the same have the same answer. */
  readonly key: unknown;
  /** Number of the prompt, which changes with its words. */
  readonly version: number;
}

/** Whose scrape the question belongs to, and how long it may take. */
export interface AskContext {
  readonly teamId: string;
  /** When the answer of the scrape has to be there. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly stages?: Stages | undefined;
}

/** Gives the formats of one scrape a reader to ask. */
export type AskFor = (context: AskContext) => Ask;

/** A reader who answers questions about pages: the operator's language models. */
export interface Ask {
  /** Whether a question was left unasked because the team has used up its tokens of the day. */
  readonly isSpent: boolean;
  /** Whether there was a question. */
  readonly isAsked: boolean;
  /** Whether a question got no answer: the same may be answered better soon. */
  readonly hasFailed: boolean;
  /** How much of a page fits into a question. */
  readonly maxTokens: number;
  /** How long an answer may be. */
  readonly maxOutputTokens: number;
  /**
   * Undefined when no model answered: the format is made by rules then.
   * @throws the signal's reason once no caller waits any more.
   */
  ask(question: PageQuestion<string>): Promise<ModelAnswer<string> | undefined>;
}
