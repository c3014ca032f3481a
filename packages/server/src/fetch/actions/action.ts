import type { z } from "zod";

import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Viewport } from "@pergamon-dev/browser/tab/viewport";
import type { ActionData } from "../../api/answer.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";

export interface ActionTools {
  readonly tab: BrowserTab;
  /** Viewport of the page. */
  readonly viewport: Viewport;
  /** Receives the results of the action. */
  readonly results: ActionLog;
  readonly signal: AbortSignal;
}

export interface ActionLog {
  readonly screenshots: FileContent[];
  readonly scrapes: ActionData["scrapes"][number][];
  readonly javascriptReturns: ActionData["javascriptReturns"][number][];
  readonly pdfs: FileContent[];
}

type ActionOptions = z.ZodType<{ readonly type: string }>;

/** Everything about one kind of action: its request schema and its effect. */
export interface Action<Options extends ActionOptions = ActionOptions> {
  readonly options: Options;
  /** True when it may change the page. The visit then waits for the consequences. */
  readonly hasEffects: boolean;
  /** Member of `data.actions` that it adds to. Undefined when it returns nothing. */
  readonly leaves?: keyof ActionData;
  /** True when its result is a file that is kept for a while. It is refused when nothing may be kept. */
  readonly keepsFile?: boolean;
  /** True when it enters text into a page or runs code there, which safe mode refuses. */
  readonly intervenes?: boolean;
  /** @throws ActionFailure when the action is impossible. */
  run(options: z.output<Options>, tools: ActionTools): Promise<void>;
}

/** Declares an action and keeps the type of its options. */
export function defineAction<Options extends ActionOptions>(action: Action<Options>): Action<Options> {
  return action;
}

/** Reasons for the failure of an action (contract, section 3.17). */
type ActionFailureCode =
  | "SELECTOR_NOT_FOUND"
  | "INVALID_SELECTOR"
  | "WAIT_TIMEOUT"
  | "NOT_INTERACTABLE"
  | "UNKNOWN_KEY"
  | "SCRIPT_ERROR"
  | "NAVIGATION_FAILED";

/** Thrown when an action fails. The message is for the caller. */
export class ActionFailure extends Error {
  override readonly name = "ActionFailure";

  constructor(
    readonly code: ActionFailureCode,
    message: string,
  ) {
    super(message);
  }
}

/** Text about the action in the error of the scrape (contract, section 3.17). */
export function failureText({ code, message }: ActionFailure): string {
  return `Action(s) failed to complete. Error code: ${code}. ${message}`;
}
