import { z } from "zod";

import { limits } from "../contract/limits.ts";
import { screenshotOptions } from "./formats/planned.ts";

const ONE_OF_BOTH = "Either 'milliseconds' or 'selector' must be provided, but not both.";

const Wait = z
  .strictObject({
    type: z.literal("wait"),
    milliseconds: z.int().min(1).optional().describe("Time to wait."),
    selector: z.string().optional().describe("CSS selector to wait for until it is visible."),
  })
  .refine((wait) => (wait.milliseconds === undefined) !== (wait.selector === undefined), ONE_OF_BOTH);

const Action = z.discriminatedUnion("type", [
  Wait,
  z.object({
    type: z.literal("click"),
    selector: z.string(),
    all: z.boolean().default(false).describe("Click every match; no match is no error then."),
  }),
  z.object({ type: z.literal("write"), text: z.string().describe("Typed into the focused element.") }),
  z.object({ type: z.literal("press"), key: z.string().describe("Name of a key, such as Enter.") }),
  z.object({
    type: z.literal("scroll"),
    direction: z.enum(["up", "down"]).default("down"),
    selector: z.string().optional(),
  }),
  z.object({ type: z.literal("screenshot"), ...screenshotOptions }),
  z.object({ type: z.literal("scrape") }),
  z.object({ type: z.literal("executeJavascript"), script: z.string() }),
  z.object({
    type: z.literal("pdf"),
    format: z
      .enum(["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"])
      .default("Letter"),
    landscape: z.boolean().default(false),
    scale: z.number().default(1),
  }),
]);

const TOO_MANY = `Number of actions cannot exceed ${limits.actions}`;

/** Longer lists are not even looked into. */
const UNREAD_ACTIONS = 1000;

/** The `actions` of a request. */
export const Actions = z
  .array(Action)
  .max(UNREAD_ACTIONS, TOO_MANY)
  .refine((actions) => actions.length <= limits.actions, TOO_MANY);

/** Time that the waits among the actions take at most, by the reckoning of contract section 1.4. */
export function waitBudgetMs(actions: z.output<typeof Actions>): number {
  return actions
    .filter((action) => action.type === "wait")
    .reduce((sum, wait) => sum + (wait.milliseconds ?? limits.selectorWaitMs), 0);
}
