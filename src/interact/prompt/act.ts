import { clickElement } from "../../platform/browser/input/elements.ts";
import { watchEffects } from "../../platform/browser/input/effects.ts";
import { parseKeyPress, pressKeys, typeText } from "../../platform/browser/input/keyboard.ts";
import { callOnElement, type ElementHandle } from "../../platform/browser/tab/page-script.ts";
import type { BrowserTab } from "../../platform/browser/tab/tab.ts";
import { CdpError } from "../../platform/browser/cdp/cdp-session.ts";
import type { RefTarget } from "./refs.ts";

/** Something could not be done. The message is for the model. */
export class ActFailure extends Error {
  override readonly name = "ActFailure";
}

const FOCUS = `function () {
  if (this.disabled || this.readOnly) return "It cannot be changed now.";
  this.scrollIntoView({ block: "center", behavior: "instant" });
  this.focus();
  if (typeof this.select === "function") this.select();
  else if (this.isContentEditable) getSelection().selectAllChildren(this);
  else if (!("value" in this)) return "Nothing can be typed there.";
  return "";
}`;

/** Fields whose value keys do not make, such as dates. */
const SET_VALUE = `function (value) {
  const plain = !/^(?:date|time|datetime-local|month|week|color|range)$/.test(this.type || "");
  if (plain) return false;
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  set.call(this, value);
  this.dispatchEvent(new Event("input", { bubbles: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}`;

const SELECT = `function (wanted) {
  const options = [...(this.options ?? [])];
  const is = (text) => String(text).trim().toLowerCase() === wanted.trim().toLowerCase();
  const option = options.find(({ label, text, value }) => is(label) || is(text) || is(value));
  if (!option) return "There is no such option. There are: " + options.map(({ text }) => text.trim()).slice(0, 30).join(", ");
  option.selected = true;
  this.dispatchEvent(new Event("input", { bubbles: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return "";
}`;

const READ = `function () { return (this.innerText ?? this.textContent ?? "").slice(0, 20000); }`;

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
    if (await this.#on<boolean>(element, SET_VALUE, text)) return;
    const problem = await this.#on<string>(element, FOCUS);
    if (problem) throw new ActFailure(problem);
    await this.press("Delete");
    await typeText(this.#tab, text, this.#signal);
  }

  async press(key: string): Promise<void> {
    const press = parseKeyPress(key);
    if (!press)
      throw new ActFailure(`There is no key ${JSON.stringify(key)}. Name it like Enter or Control+A.`);
    await pressKeys(this.#tab, press, this.#signal);
  }

  async select(target: RefTarget, option: string): Promise<void> {
    const problem = await this.#on<string>(await this.#element(target), SELECT, option);
    if (problem) throw new ActFailure(problem);
  }

  /** The text of an element. */
  async read(target: RefTarget): Promise<string> {
    return this.#on<string>(await this.#element(target), READ);
  }

  async #element({ backendNodeId }: RefTarget): Promise<ElementHandle> {
    const { object } = await this.#tab.session
      .send("DOM.resolveNode", { backendNodeId }, { signal: this.#signal })
      .catch(rethrowGone);
    if (object.objectId === undefined) throw new ActFailure(GONE);
    return object.objectId as ElementHandle;
  }

  #on<Result>(element: ElementHandle, source: string, argument?: string): Promise<Result> {
    const call =
      argument === undefined
        ? source
        : `function () { return (${source}).call(this, ${JSON.stringify(argument)}); }`;
    return callOnElement<Result>(this.#tab, element, call, this.#signal).catch(rethrowGone);
  }
}

function rethrowGone(failure: unknown): never {
  if (failure instanceof CdpError) throw new ActFailure(GONE);
  throw failure;
}
