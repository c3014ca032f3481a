import type { z } from "zod";

import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Viewport } from "@pergamon-dev/browser/tab/viewport";
import type { ActionData } from "../../api/answer.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";

/** What an action works with. */
export interface ActionTools {
  readonly tab: BrowserTab;
  /** The screen that the page is shown on. */
  readonly viewport: Viewport;
  /** Takes what the action leaves behind. */
  readonly results: ActionLog;
  readonly signal: AbortSignal;
}

/** Collects what actions leave behind. */
export interface ActionLog {
  readonly screenshots: FileContent[];
  readonly scrapes: ActionData["scrapes"][number][];
  readonly javascriptReturns: ActionData["javascriptReturns"][number][];
  readonly pdfs: FileContent[];
}

type ActionOptions = z.ZodType<{ readonly type: string }>;

/** Everything about one kind of action: its request shape and what it does. */
export interface Action<Options extends ActionOptions = ActionOptions> {
  readonly options: Options;
  /** True when it may change the page: what it sets off is waited for. */
  readonly hasEffects: boolean;
  /** The member of `data.actions` that it adds to; undefined when it gives nothing back. */
  readonly leaves?: keyof ActionData;
  /** True when what it leaves is a file that is kept for a while: it is refused when nothing may be kept. */
  readonly keepsFile?: boolean;
  /** True when it enters something into a page, or runs in it, which safe mode refuses. */
  readonly intervenes?: boolean;
  /** @throws ActionFailure when it cannot be done. */
  run(options: z.output<Options>, tools: ActionTools): Promise<void>;
}

/** Declares an action; keeps the type of its options. */
export function defineAction<Options extends ActionOptions>(action: Action<Options>): Action<Options> {
  return action;
}

/** Why an action could not be done (contract, section 3.17). */
type ActionFailureCode =
  | "SELECTOR_NOT_FOUND"
  | "INVALID_SELECTOR"
  | "WAIT_TIMEOUT"
  | "NOT_INTERACTABLE"
  | "UNKNOWN_KEY"
  | "SCRIPT_ERROR"
  | "NAVIGATION_FAILED";

/** An action could not be done. The message is for the caller. */
export class ActionFailure extends Error {
  override readonly name = "ActionFailure";

  constructor(
    readonly code: ActionFailureCode,
    message: string,
  ) {
    super(message);
  }
}

/** What a failed scrape says of it (contract, section 3.17). */
export function failureText({ code, message }: ActionFailure): string {
  return `Action(s) failed to complete. Error code: ${code}. ${message}`;
}
