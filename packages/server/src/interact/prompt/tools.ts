import { setTimeout as sleep } from "node:timers/promises";

import { z } from "zod";

import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import { watchEffects } from "@pergamon-dev/browser/input/effects";
import { clickElement } from "@pergamon-dev/browser/input/elements";
import { parseKeyPress, pressKeys, typeText } from "@pergamon-dev/browser/input/keyboard";
import { scrollPage } from "@pergamon-dev/browser/input/scrolling";
import { callInPage, callOnElement, type ElementHandle } from "@pergamon-dev/browser/tab/page-script";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import * as programs from "@pergamon-dev/browser/programs/prompt";
import { type LoopTool, ToolFailure, toolsOf } from "../../scrape/prompts/agent-loop.ts";
import { findLines, type PageLook, type Refs } from "./look.ts";

const Ref = z
  .string()
  .regex(/^@?e\d{1,7}$/)
  .transform((ref) => ref.replace("@", ""));
const Text = z.string().max(5000);
/** Limit of the text that `read` returns, in characters. */
const MAX_READ_LENGTH = 6000;
const MAX_FOUND = 25;
const WAIT_MS = 1000;
const GONE = "The element is no longer on the page. Look again.";

const defineTool = toolsOf<PageActor, string>();

export const promptTools: Readonly<Record<string, LoopTool<PageActor, string>>> = {
  click: defineTool({
    about: `{"ref"} – click an element`,
    input: z.object({ ref: Ref }),
    run: ({ ref }, page) => page.act(() => page.click(ref)),
  }),
  fill: defineTool({
    about: `{"ref", "text"} – replace the content of a field`,
    input: z.object({ ref: Ref, text: Text }),
    run: ({ ref, text }, page) => page.act(() => page.fill(ref, text)),
  }),
  select: defineTool({
    about: `{"ref", "text"} – choose the option with this name from a list`,
    input: z.object({ ref: Ref, text: Text }),
    run: ({ ref, text }, page) => page.act(() => page.change(ref, programs.selectOption, text)),
  }),
  press: defineTool({
    about: `{"text"} – press a key, such as Enter, Escape or ArrowDown`,
    input: z.object({ text: z.string().max(50) }),
    run: ({ text }, page) => page.act(() => page.press(text)),
  }),
  scroll: defineTool({
    about: `{"text": "down" or "up"} – scroll by one screen`,
    input: z.object({ text: z.enum(["down", "up"]).default("down") }),
    run: ({ text }, page) => page.act(() => scrollPage(page.tab, text === "up" ? -1 : 1, page.signal)),
  }),
  navigate: defineTool({
    about: `{"text"} – open this http or https URL`,
    input: z.object({ text: Text }),
    async run({ text }, page) {
      await page.goTo(text);
      return "Opened.";
    },
  }),
  back: defineTool({
    about: "{} – go back to the previous page",
    input: z.object({}),
    run: (_input, page) => page.act(() => callInPage(page.tab, "() => { history.back(); }", [], page.signal)),
  }),
  wait: defineTool({
    about: "{} – wait one second for the page to load or change",
    input: z.object({}),
    async run(_input, { signal }) {
      await sleep(WAIT_MS, undefined, { signal });
      return "Waited.";
    },
  }),
  read: defineTool({
    about: `{"ref"} – read the whole text of an element, or of the page without ref`,
    input: z.object({ ref: Ref.optional() }),
    async run({ ref }, page) {
      const text =
        ref === undefined
          ? await callInPage<string>(page.tab, "() => document.body?.innerText ?? ''", [], page.signal)
          : await page.callOn<string>(await page.element(ref), programs.readText);
      return text.slice(0, MAX_READ_LENGTH);
    },
  }),
  find: defineTool({
    about: `{"text"} – list the lines of the page that contain these words, with their references, including lines not shown`,
    input: z.object({ text: z.string().min(1).max(200) }),
    async run({ text }, { look }) {
      const found = findLines(look, text, MAX_FOUND);
      return found.length === 0 ? "Nothing was found." : found.map((line) => line.trim()).join("\n");
    },
  }),
};

/** Acts on one page only. */
export class PageActor {
  readonly tab: BrowserTab;
  readonly look: PageLook;
  readonly signal: AbortSignal;
  readonly #refs: Refs;

  /** @param look last look at the page. Its references are in `refs`. */
  constructor(tab: BrowserTab, look: PageLook, refs: Refs, signal: AbortSignal) {
    this.tab = tab;
    this.look = look;
    this.signal = signal;
    this.#refs = refs;
  }

  /** Acts and waits for the effects. If the page opens a window, its URL is loaded in this page instead. */
  async act(action: () => Promise<void>): Promise<string> {
    let opened: string | undefined;
    const stop = this.tab.session.on("Page.windowOpen", ({ url }) => {
      opened = url;
    });
    await this.#withEffects(action).finally(stop);
    if (opened === undefined) return "Done.";
    if (!/^https?:/i.test(opened)) throw new ToolFailure("It opened a window that cannot be shown.");
    await this.goTo(opened);
    return "It opened a window. The page shows it now.";
  }

  async click(ref: string): Promise<void> {
    if (await clickElement(this.tab, await this.element(ref), this.signal)) return;
    throw new ToolFailure("The element is not visible, so it cannot be clicked.");
  }

  async fill(ref: string, text: string): Promise<void> {
    const element = await this.element(ref);
    if (await this.callOn<boolean>(element, programs.setValue, text)) return;
    const problem = await this.callOn<string>(element, programs.prepareTyping);
    if (problem) throw new ToolFailure(problem);
    await this.press("Delete");
    await typeText(this.tab, text, this.signal);
  }

  async press(key: string): Promise<void> {
    const press = parseKeyPress(key);
    if (!press)
      throw new ToolFailure(`Unknown key: ${JSON.stringify(key)}. Use names like Enter or Control+A.`);
    await pressKeys(this.tab, press, this.signal);
  }

  /** Runs a program in the page. It returns the problem, or nothing. */
  async change(ref: string, program: string, argument: string): Promise<void> {
    const problem = await this.callOn<string>(await this.element(ref), program, argument);
    if (problem) throw new ToolFailure(problem);
  }

  /** @throws ToolFailure when the page must not go there, or the URL cannot be opened. */
  async goTo(text: string): Promise<void> {
    const base = this.look.url;
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new ToolFailure("Only http and https URLs can be opened.");
    await this.#withEffects(async () => {
      const { errorCode } = await this.tab.navigate(url.href, this.signal);
      if (errorCode !== undefined) throw new ToolFailure(`The URL cannot be opened: ${errorCode}.`);
    });
  }

  async element(ref: string): Promise<ElementHandle> {
    const target = this.#refs.find(ref);
    if (!target) throw new ToolFailure(`There is no ${ref} on the page.`);
    const { object } = await this.tab.session
      .send("DOM.resolveNode", { backendNodeId: target.backendNodeId }, { signal: this.signal })
      .catch(rethrowGone);
    if (object.objectId === undefined) throw new ToolFailure(GONE);
    return object.objectId as ElementHandle;
  }

  callOn<Result>(element: ElementHandle, source: string, argument?: string): Promise<Result> {
    const args = argument === undefined ? [] : [argument];
    return callOnElement<Result>(this.tab, element, { source, args }, this.signal).catch(rethrowGone);
  }

  async #withEffects(action: () => Promise<void>): Promise<void> {
    const effects = watchEffects(this.tab);
    try {
      await action();
    } finally {
      await effects.settled(this.signal);
    }
  }
}

function rethrowGone(failure: unknown): never {
  if (failure instanceof CdpError) throw new ToolFailure(GONE);
  throw failure;
}
