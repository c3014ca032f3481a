import { typeText } from "@pergamon-dev/browser/input/keyboard";
import type { AutomationElement } from "./automation-page.ts";
import * as programs from "@pergamon-dev/browser/programs/element-actions";
import { waitLimitOf, type WaitOptions, waitUntilFound } from "./wait-options.ts";
import { Keyboard, Mouse } from "./keys-and-mouse.ts";
import { callOnThis, type PageScript } from "./page-function.ts";
import type { PageRealm } from "./page-realm.ts";

/** A property of an element, named after the program that reads it in the page. */
type ElementFact = Exclude<keyof typeof programs, "aim" | "fill" | "select">;

type Point = { readonly x: number; readonly y: number };

/** Actions on an element, however it is found. */
export abstract class ConfinedElement implements AutomationElement {
  protected readonly realm: PageRealm;

  constructor(realm: PageRealm) {
    this.realm = realm;
  }

  /** Name in messages. */
  abstract get description(): string;

  /** Waits until the element exists. @returns its remote object id. */
  protected abstract objectId(options?: WaitOptions): Promise<string>;

  async click(options?: WaitOptions): Promise<void> {
    await new Mouse(this.realm).click(...(await this.#aim(options)));
  }

  async dblclick(options?: WaitOptions): Promise<void> {
    await new Mouse(this.realm).dblclick(...(await this.#aim(options)));
  }

  async tap(options?: WaitOptions): Promise<void> {
    await this.click(options);
  }

  async hover(options?: WaitOptions): Promise<void> {
    await new Mouse(this.realm).move(...(await this.#aim(options)));
  }

  async fill(text: string, options?: WaitOptions): Promise<void> {
    await this.realm.call(await this.objectId(options), callOnThis(programs.fill), text);
  }

  async type(text: string, options?: WaitOptions): Promise<void> {
    await this.focus(options);
    await typeText(this.realm, text, never);
  }

  async press(key: string, options?: WaitOptions): Promise<void> {
    await this.focus(options);
    await new Keyboard(this.realm).press(key);
  }

  async check(options?: WaitOptions): Promise<void> {
    if (!(await this.isChecked(options))) await this.click(options);
  }

  async uncheck(options?: WaitOptions): Promise<void> {
    if (await this.isChecked(options)) await this.click(options);
  }

  async selectOption(values: unknown, options?: WaitOptions): Promise<string[]> {
    const wanted = Array.isArray(values) ? values : [values];
    return (await this.realm.call(
      await this.objectId(options),
      callOnThis(programs.select),
      wanted,
    )) as string[];
  }

  async evaluate(script: PageScript, argument?: unknown): Promise<unknown> {
    return this.realm.call(await this.objectId(), callOnThis(script), argument);
  }

  async focus(options?: WaitOptions): Promise<void> {
    await this.#fact("focus", undefined, options);
  }

  async scrollIntoViewIfNeeded(options?: WaitOptions): Promise<void> {
    await this.#fact("scrollIntoViewIfNeeded", undefined, options);
  }

  innerText = (options?: WaitOptions) => this.#fact<string>("innerText", undefined, options);
  innerHTML = (options?: WaitOptions) => this.#fact<string>("innerHTML", undefined, options);
  textContent = (options?: WaitOptions) => this.#fact<string | null>("textContent", undefined, options);
  inputValue = (options?: WaitOptions) => this.#fact<string>("inputValue", undefined, options);
  isEnabled = (options?: WaitOptions) => this.#fact<boolean>("isEnabled", undefined, options);
  isChecked = (options?: WaitOptions) => this.#fact<boolean>("isChecked", undefined, options);
  isVisible = (options?: WaitOptions) => this.#fact<boolean>("isVisible", undefined, options);
  getAttribute = (name: string, options?: WaitOptions) =>
    this.#fact<string | null>("getAttribute", name, options);
  boundingBox = (options?: WaitOptions) =>
    this.#fact<Point & { width: number; height: number }>("boundingBox", undefined, options);

  async #fact<Value>(name: ElementFact, argument: unknown, options?: WaitOptions): Promise<Value> {
    return (await this.realm.call(
      await this.objectId(options),
      callOnThis(programs[name]),
      argument,
    )) as Value;
  }

  /** Waits until the element can be clicked. @returns the point to click. */
  async #aim(options?: WaitOptions): Promise<readonly [number, number]> {
    const limitMs = waitLimitOf(options);
    const { x, y } = await waitUntilFound(
      `${this.description} to be visible, enabled and in front`,
      limitMs,
      async () => {
        const point = await this.realm.call(await this.objectId(options), callOnThis(programs.aim));
        return (point ?? undefined) as Point | undefined;
      },
    );
    return [x, y];
  }
}

const never = new AbortController().signal;

/** A fixed element of the page. */
export class ConfinedHandle extends ConfinedElement {
  readonly #objectId: string;
  readonly #isElement: boolean;

  constructor(realm: PageRealm, objectId: string, isElement: boolean) {
    super(realm);
    this.#objectId = objectId;
    this.#isElement = isElement;
  }

  asElement(): ConfinedHandle | null {
    return this.#isElement ? this : null;
  }

  async evaluateHandle(script: PageScript, argument?: unknown): Promise<ConfinedHandle> {
    const { objectId = "", subtype } = await this.realm.callHandle(
      this.#objectId,
      callOnThis(script),
      argument,
    );
    return new ConfinedHandle(this.realm, objectId, subtype === "node");
  }

  async jsonValue(): Promise<unknown> {
    return this.realm.call(this.#objectId, "function () { return this; }");
  }

  async dispose(): Promise<void> {
    await this.realm.session.send("Runtime.releaseObject", { objectId: this.#objectId });
  }

  override get description(): string {
    return "the element";
  }

  protected override async objectId(): Promise<string> {
    return this.#objectId;
  }
}
