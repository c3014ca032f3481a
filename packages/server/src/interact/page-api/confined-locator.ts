import type { AutomationLocator } from "./automation-page.ts";
import { ConfinedElement, ConfinedHandle } from "./confined-element.ts";
import { isVisible } from "@pergamon-dev/browser/programs/element-actions";
import * as programs from "@pergamon-dev/browser/programs/find";
import type { FindStep, TextMatch } from "./find-step.ts";
import { callOnThis, type PageScript, pageFunction } from "./page-function.ts";
import type { PageRealm } from "./page-realm.ts";
import { waitLimitOf, type WaitOptions, waitUntilFound } from "./wait-options.ts";
import { PatternText } from "./pattern-text.ts";

/** Text or pattern that callers search for. */
export type SoughtText = string | PatternText;

interface Exactness {
  readonly exact?: boolean | undefined;
}

const FIND_ALL = pageFunction(programs.find);
const FIND_COUNT = pageFunction(programs.findCount);
const FIND_FIRST = pageFunction(programs.findFirst);
const FIND_TEXTS = pageFunction(programs.findTexts);

/** Finds its elements anew for each action, and waits until they exist. */
export class ConfinedLocator extends ConfinedElement implements AutomationLocator {
  readonly #steps: readonly FindStep[];

  constructor(realm: PageRealm, steps: readonly FindStep[]) {
    super(realm);
    this.#steps = steps;
  }

  locator = (selector: string) => this.#then({ by: "selector", selector });
  getByText = (text: SoughtText, options?: Exactness) =>
    this.#then({ by: "text", text: matchOf(text, options) });
  getByLabel = (text: SoughtText, options?: Exactness) =>
    this.#then({ by: "label", text: matchOf(text, options) });
  getByPlaceholder = (text: SoughtText, options?: Exactness) => this.#attribute("placeholder", text, options);
  getByAltText = (text: SoughtText, options?: Exactness) => this.#attribute("alt", text, options);
  getByTitle = (text: SoughtText, options?: Exactness) => this.#attribute("title", text, options);
  getByTestId = (text: SoughtText) => this.#attribute("data-testid", text, { exact: true });
  first = () => this.nth(0);
  last = () => this.nth(-1);
  nth = (index: number) => this.#then({ by: "nth", index });

  getByRole = (role: string, options: Exactness & { readonly name?: SoughtText } = {}) => {
    const { name } = options;
    return this.#then({ by: "role", role, ...(name !== undefined && { name: matchOf(name, options) }) });
  };

  filter = ({ hasText }: { readonly hasText?: SoughtText } = {}) =>
    hasText === undefined ? this : this.#then({ by: "filter", hasText: matchOf(hasText) });

  /** Resolves to the element that is found now. @throws Error when there is none in time. */
  async handle(options?: WaitOptions): Promise<ConfinedHandle> {
    return new ConfinedHandle(this.realm, await this.objectId(options), true);
  }

  async count(): Promise<number> {
    return (await this.realm.evaluate(FIND_COUNT, this.#steps)) as number;
  }

  async evaluateAll(script: PageScript, argument?: unknown): Promise<unknown> {
    const { objectId = "" } = await this.realm.evaluateHandle(FIND_ALL, this.#steps);
    return this.realm.call(objectId, callOnThis(script), argument);
  }

  /** Answers at once, without waiting for an element. */
  override isVisible = async () =>
    (await this.count()) > 0 &&
    (await this.realm.call(await this.objectId(), callOnThis(isVisible))) === true;

  async allInnerTexts(): Promise<readonly string[]> {
    return (await this.realm.evaluate(FIND_TEXTS, this.#steps)) as readonly string[];
  }

  async waitFor(options: WaitOptions & { readonly state?: string } = {}): Promise<void> {
    const { state = "visible" } = options;
    await waitUntilFound(`${this.description} to be ${state}`, waitLimitOf(options), async () => {
      const count = await this.count();
      if (state === "attached" || state === "detached")
        return count > 0 === (state === "attached") || undefined;
      const isSeen = count > 0 && (await this.isVisible());
      return isSeen === (state !== "hidden") || undefined;
    });
  }

  override get description(): string {
    return this.#steps.map((step) => ("selector" in step ? step.selector : JSON.stringify(step))).join(" ");
  }

  protected override async objectId(options?: WaitOptions): Promise<string> {
    return waitUntilFound(this.description, waitLimitOf(options), async () => {
      const { objectId } = await this.realm.evaluateHandle(FIND_FIRST, this.#steps);
      return objectId;
    });
  }

  #then(step: FindStep): ConfinedLocator {
    return new ConfinedLocator(this.realm, [...this.#steps, step]);
  }

  #attribute(name: string, text: SoughtText, options?: Exactness): ConfinedLocator {
    return this.#then({ by: "attribute", name, text: matchOf(text, options) });
  }
}

function matchOf(sought: SoughtText, { exact = false }: Exactness = {}): TextMatch {
  if (sought instanceof PatternText) return { text: sought.source, flags: sought.flags.replace(/[gy]/g, "") };
  return { text: sought, isExact: exact };
}
