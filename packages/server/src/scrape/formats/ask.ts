import type { Stages } from "@pergamon-dev/kit/stages";
import type { ModelQuestion } from "../../storage/models/ask-endpoint.ts";
import type { ModelAnswer } from "../../storage/models/language-models.ts";

export interface PageQuestion<Answer> extends Omit<ModelQuestion<Answer>, "maxOutputTokens"> {
  /** Data that determines the answer. Questions with equal keys have equal answers. */
  readonly key: unknown;
  /** Version of the prompt, which changes with its words. */
  readonly version: number;
}

export interface AskContext {
  readonly teamId: string;
  /** Deadline of the scrape's answer. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly stages?: Stages | undefined;
}

/** Opens the model access of one scrape's formats. */
export type AskFor = (context: AskContext) => Ask;

/** Asks the operator's language models questions about pages. */
export interface Ask {
  /** Whether a question was skipped because the team has used up its tokens of the day. */
  readonly isSpent: boolean;
  /** Whether any question was asked. */
  readonly isAsked: boolean;
  /** Whether a question got no answer. A later request may get a better answer. */
  readonly hasFailed: boolean;
  /** Maximum tokens of page text in a question. */
  readonly maxTokens: number;
  /** Maximum tokens of an answer. */
  readonly maxOutputTokens: number;
  /**
   * Returns undefined when no model answered. Rules make the format then.
   * @throws the signal's reason once no caller waits any more.
   */
  ask(question: PageQuestion<string>): Promise<ModelAnswer<string> | undefined>;
}
