import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { Action } from "./action.ts";
import * as actions from "./all.ts";

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

/** Longer lists are not even looked into. */
const UNREAD_ACTIONS = 1000;

/** The `actions` of a request. */
export const Actions = z
  .array(AnyAction)
  .max(UNREAD_ACTIONS, TOO_MANY)
  .refine((list) => list.length <= limits.actions, TOO_MANY);

/** Time that the waits among the actions take at most, by the reckoning of contract section 1.4. */
export function waitBudgetMs(list: readonly RequestedAction[]): number {
  return list
    .filter((action) => action.type === "wait")
    .reduce((sum, { milliseconds }) => sum + (milliseconds ?? limits.selectorWaitMs), 0);
}
