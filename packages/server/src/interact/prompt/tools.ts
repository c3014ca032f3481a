import { setTimeout as sleep } from "node:timers/promises";

import { z } from "zod";

import { scrollPage } from "@pergamon-dev/browser/input/scrolling";
import { callInPage } from "@pergamon-dev/browser/tab/page-script";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { type Actor, ActFailure } from "./act.ts";
import type { PageLook } from "./look.ts";
import type { RefTarget } from "./refs.ts";
import { findLines } from "./write-lines.ts";

/** What tools work with: one page, and nothing else. */
export interface ToolTools {
  readonly tab: BrowserTab;
  readonly actor: Actor;
  readonly look: PageLook;
  readonly signal: AbortSignal;
  /** @throws ActFailure when the last look did not show it. */
  target(ref: string): RefTarget;
  /** Opens an address in the page, if the page may be there. @throws ActFailure. */
  goTo(url: string): Promise<void>;
}

interface Tool<Input extends z.ZodType> {
  /** For the model. */
  readonly about: string;
  readonly input: Input;
  /** @returns the outcome for the model; text of pages is fenced. @throws ActFailure. */
  run(input: z.output<Input>, tools: ToolTools): Promise<string>;
}

function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

const Ref = z
  .string()
  .regex(/^@?e\d{1,7}$/)
  .transform((ref) => ref.replace("@", ""));
const Text = z.string().max(5000);
/** What is reported of a text that is read. */
const MAX_READ_LENGTH = 6000;
const MAX_FOUND = 25;
const MAX_WAIT_MS = 5000;

/** One line per tool: all that a model can do. `done` ends the work. */
export const promptTools = {
  click: defineTool({
    about: "click ref",
    input: z.object({ ref: Ref }),
    run: ({ ref }, tools) => acted(tools, () => tools.actor.click(tools.target(ref))),
  }),
  fill: defineTool({
    about: "replace what is in the field ref by text",
    input: z.object({ ref: Ref, text: Text }),
    run: ({ ref, text }, tools) => acted(tools, () => tools.actor.fill(tools.target(ref), text)),
  }),
  select: defineTool({
    about: "choose the option called text in the list ref",
    input: z.object({ ref: Ref, text: Text }),
    run: ({ ref, text }, tools) => acted(tools, () => tools.actor.select(tools.target(ref), text)),
  }),
  press: defineTool({
    about: "press the key called text, such as Enter, Escape or ArrowDown",
    input: z.object({ text: z.string().max(50) }),
    run: ({ text }, tools) => acted(tools, () => tools.actor.press(text)),
  }),
  scroll: defineTool({
    about: 'scroll by one screen; text is "down" or "up"',
    input: z.object({ text: z.enum(["down", "up"]).default("down") }),
    run: ({ text }, tools) => acted(tools, () => scrollPage(tools.tab, text === "up" ? -1 : 1, tools.signal)),
  }),
  navigate: defineTool({
    about: "open the address text, http or https",
    input: z.object({ text: Text }),
    async run({ text }, tools) {
      await tools.goTo(text);
      return "Opened.";
    },
  }),
  back: defineTool({
    about: "go back to the page before",
    input: z.object({}),
    run: (_input, tools) =>
      acted(tools, () => callInPage(tools.tab, "() => { history.back(); }", [], tools.signal)),
  }),
  wait: defineTool({
    about: "wait a second, for what is still to come",
    input: z.object({}),
    async run(_input, { signal }) {
      await sleep(Math.min(1000, MAX_WAIT_MS), undefined, { signal });
      return "Waited.";
    },
  }),
  read: defineTool({
    about: "read the whole text of ref, or of the page without one",
    input: z.object({ ref: Ref.optional() }),
    async run({ ref }, { actor, tab, signal, ...tools }) {
      const text =
        ref === undefined
          ? await callInPage<string>(tab, "() => document.body?.innerText ?? ''", [], signal)
          : await actor.read(tools.target(ref));
      return text.slice(0, MAX_READ_LENGTH);
    },
  }),
  find: defineTool({
    about:
      "list the lines of the page with the words text, with their refs, also those that are left out above",
    input: z.object({ text: z.string().min(1).max(200) }),
    async run({ text }, { look }) {
      const found = findLines(look.lines, text, MAX_FOUND);
      return found.length === 0 ? "Nothing was found." : found.map((line) => line.trim()).join("\n");
    },
  }),
  extract: defineTool({
    about: "note text, such as a fact to be remembered on the next page",
    input: z.object({ text: Text }),
    run: async ({ text }) => `Noted: ${text}`,
  }),
} as const;

export type ToolName = keyof typeof promptTools;

/** Does it and waits for what it sets off. A window that was to be opened is gone to instead. */
async function acted(tools: ToolTools, act: () => Promise<void>): Promise<string> {
  const opened = await tools.actor.withEffects(act);
  if (opened === undefined) return "Done.";
  if (!/^https?:/i.test(opened)) throw new ActFailure("It opened a window that cannot be shown.");
  await tools.goTo(opened);
  return "It opened a window; its page is shown now.";
}
