import { clickElement } from "@pergamon-dev/browser/input/elements";
import { watchEffects } from "@pergamon-dev/browser/input/effects";
import { parseKeyPress, pressKeys, typeText } from "@pergamon-dev/browser/input/keyboard";
import { callOnElement, type ElementHandle } from "@pergamon-dev/browser/tab/page-script";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import * as programs from "@pergamon-dev/browser/programs/prompt";
import type { RefTarget } from "./refs.ts";

/** Something could not be done. The message is for the model. */
export class ActFailure extends Error {
  override readonly name = "ActFailure";
}

const GONE = "It is not on the page any more. Look again.";

/** What is done with one page. */
export class Actor {
  readonly #tab: BrowserTab;
  readonly #signal: AbortSignal;

  constructor(tab: BrowserTab, signal: AbortSignal) {
    this.#tab = tab;
    this.#signal = signal;
  }

  /** Does something, and waits for what it sets off. @returns where the page opened a window, if it did. */
  async withEffects(act: () => Promise<void>): Promise<string | undefined> {
    let opened: string | undefined;
    const stop = this.#tab.session.on("Page.windowOpen", ({ url }) => {
      opened = url;
    });
    const effects = watchEffects(this.#tab);
    try {
      await act();
    } finally {
      await effects.settled(this.#signal).finally(stop);
    }
    return opened;
  }

  async click(target: RefTarget): Promise<void> {
    const element = await this.#element(target);
    if (await clickElement(this.#tab, element, this.#signal)) return;
    throw new ActFailure("It cannot be seen, so it cannot be clicked.");
  }

  /** Replaces what is in a field. */
  async fill(target: RefTarget, text: string): Promise<void> {
    const element = await this.#element(target);
    if (await this.#on<boolean>(element, programs.setValue, text)) return;
    const problem = await this.#on<string>(element, programs.prepareTyping);
    if (problem) throw new ActFailure(problem);
    await this.press("Delete");
    await typeText(this.#tab, text, this.#signal);
  }

  async press(key: string): Promise<void> {
    const press = parseKeyPress(key);
    if (!press) throw new ActFailure(`Unknown key: ${JSON.stringify(key)}. Name it like Enter or Control+A.`);
    await pressKeys(this.#tab, press, this.#signal);
  }

  async select(target: RefTarget, option: string): Promise<void> {
    const problem = await this.#on<string>(await this.#element(target), programs.selectOption, option);
    if (problem) throw new ActFailure(problem);
  }

  /** The text of an element. */
  async read(target: RefTarget): Promise<string> {
    return this.#on<string>(await this.#element(target), programs.readText);
  }

  async #element({ backendNodeId }: RefTarget): Promise<ElementHandle> {
    const { object } = await this.#tab.session
      .send("DOM.resolveNode", { backendNodeId }, { signal: this.#signal })
      .catch(rethrowGone);
    if (object.objectId === undefined) throw new ActFailure(GONE);
    return object.objectId as ElementHandle;
  }

  #on<Result>(element: ElementHandle, source: string, argument?: string): Promise<Result> {
    const args = argument === undefined ? [] : [argument];
    return callOnElement<Result>(this.#tab, element, { source, args }, this.#signal).catch(rethrowGone);
  }
}

function rethrowGone(failure: unknown): never {
  if (failure instanceof CdpError) throw new ActFailure(GONE);
  throw failure;
}
