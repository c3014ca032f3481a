import { parse } from "css-what";
import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { parseKeyPress } from "@pergamon-dev/browser/input/keyboard";
import { type Action, type ActionFailure, failureText } from "./action.ts";
import * as actions from "./all.ts";
import { invalidSelector } from "./find-target.ts";
import { unknownKey } from "./press.ts";

type ActionTable = typeof actions;

/** One element of `actions`, with its defaults. */
export type RequestedAction = {
  [Type in keyof ActionTable]: z.output<ActionTable[Type]["options"]>;
}[keyof ActionTable];

export function actionNamed(type: RequestedAction["type"]): Action {
  return actions[type];
}

const [first, ...others] = Object.values(actions).map((action) => action.options);
const AnyAction = z.discriminatedUnion("type", [first, ...others] as Parameters<
  typeof z.discriminatedUnion
>[1]) as unknown as z.ZodType<RequestedAction>;

const TOO_MANY = `Number of actions cannot exceed ${limits.actions}`;

/** Lists longer than this are refused without validating their elements. */
const UNREAD_ACTIONS = 1000;

export const Actions = z
  .array(AnyAction)
  .max(UNREAD_ACTIONS, TOO_MANY)
  .refine((list) => list.length <= limits.actions, TOO_MANY)
  .superRefine((list, context) => {
    for (const [index, action] of list.entries()) {
      const failure = mistakeIn(action);
      const params = { code: "SCRAPE_ACTION_ERROR" };
      if (failure) context.addIssue({ code: "custom", path: [index], message: failureText(failure), params });
    }
  });

/** Errors that the request shows by itself. Only a browser finds out more about selectors. */
function mistakeIn(action: RequestedAction): ActionFailure | undefined {
  if (action.type === "press") return parseKeyPress(action.key) ? undefined : unknownKey(action.key);
  const selector = "selector" in action ? action.selector : undefined;
  return selector === undefined || isParsable(selector) ? undefined : invalidSelector(selector);
}

function isParsable(selector: string): boolean {
  try {
    return selector.trim() !== "" && parse(selector).length > 0;
  } catch {
    return false;
  }
}

/** Maximum total time of the waits among the actions, calculated as in contract section 1.4. */
export function waitBudgetMs(list: readonly RequestedAction[]): number {
  return list
    .filter((action) => action.type === "wait")
    .reduce((sum, { milliseconds }) => sum + (milliseconds ?? limits.selectorWaitMs), 0);
}
