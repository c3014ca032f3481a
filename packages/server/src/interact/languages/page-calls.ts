import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { ConfinedHandle } from "../page-api/confined-element.ts";
import { ConfinedLocator } from "../page-api/confined-locator.ts";
import { ConfinedPage } from "../page-api/confined-page.ts";
import { FunctionText } from "../page-api/page-function.ts";
import { PatternText } from "../page-api/pattern-text.ts";
import type { SessionContext } from "../page-api/session-context.ts";

/** A call from interpreted code: a method of an object that the steps lead to. */
interface Question {
  readonly target: {
    readonly page?: string;
    readonly part?: string;
    readonly ref?: string;
    readonly context?: boolean;
  };
  readonly steps: readonly (readonly [string, readonly unknown[]])[];
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Files and documents that code gives its page arrive as one text. */
const QUESTION_BOUNDS = { maxBytes: 16 * 1024 * 1024, maxValues: 100_000 } as const;

type Answer =
  | { readonly value: unknown }
  | { readonly bytes: string }
  | { readonly ref: string }
  | { readonly page: string }
  | { readonly list: readonly Answer[] };

/**
 * Executes the calls of interpreted code on its page. The code is hostile: only listed methods are called,
 * arguments are data, and results are data or a name.
 */
export class PageCalls {
  readonly #context: SessionContext;
  readonly #handles = new Map<string, ConfinedHandle>();
  readonly #thread = new ForeignThread();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Never rejects. The code receives the error. */
  async answer(text: string): Promise<string> {
    recordWork("interpreter");
    try {
      return this.#say(await this.#carryOut((await this.#thread.parse(text, QUESTION_BOUNDS)) as Question));
    } catch (failure) {
      return this.#say({ error: (failure as Error).message });
    }
  }

  /** Current pages, for properties that code reads synchronously. */
  state() {
    return this.#context.pages().map((page) => ({ id: page.targetId, url: page.url() }));
  }

  #say(answer: Answer | { readonly error: string }): string {
    return JSON.stringify({ ...answer, pages: this.state() });
  }

  async #carryOut({ target, steps, method, args }: Question): Promise<Answer> {
    const [object, name] = this.#objectOf(target);
    let current: object = object;
    for (const [step, words] of steps) {
      if (!stepMethods.has(step)) throw unavailable("locator", step);
      current = called(current, step, this.#take(words)) as object;
    }
    const words = this.#take(args);
    if (current === object && object instanceof ConfinedPage && elementMethods.has(method)) {
      current = object.locator(String(words.shift())).first();
    }
    if (!methodsOf(current).has(method)) throw unavailable(current === object ? name : "locator", method);
    const value = await called(current, method, words);
    if (object instanceof ConfinedPage) await object.recordUrl();
    return this.#give(value);
  }

  #objectOf({ page, part, ref, context }: Question["target"]): readonly [object, string] {
    if (context === true) return [this.#context, "context"];
    if (typeof ref === "string") {
      const handle = this.#handles.get(ref);
      if (handle) return [handle, "element"];
      throw new Error("This element is no longer known.");
    }
    const found = this.#context.pages().find(({ targetId }) => targetId === page);
    if (page === undefined) throw new Error("browser has this method only with a sandbox (see doctor).");
    if (!found) throw new Error("The page has been closed.");
    if (part === "keyboard") return [found.keyboard, "keyboard"];
    return part === "mouse" ? [found.mouse, "mouse"] : [found, "page"];
  }

  #take(args: readonly unknown[]): unknown[] {
    return args.map((one) => taken(one));
  }

  #give(value: unknown): Answer {
    if (value instanceof ConfinedPage) return { page: value.targetId };
    if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
    if (value instanceof ConfinedHandle) {
      const ref = `element${this.#handles.size + 1}`;
      this.#handles.set(ref, value);
      return { ref };
    }
    if (Array.isArray(value) && value.some((one) => one instanceof ConfinedHandle)) {
      return { list: value.map((one) => this.#give(one)) };
    }
    return { value };
  }
}

/** Calls a method that is known to be on the lists. */
function called(object: object, method: string, args: readonly unknown[]): unknown {
  const known: unknown = Reflect.get(object, method);
  return typeof known === "function" ? Reflect.apply(known, object, args) : undefined;
}

function methodsOf(object: object): ReadonlySet<string> {
  if (object instanceof ConfinedPage) return pageMethods;
  if (object instanceof ConfinedLocator) return locatorMethods;
  if (object instanceof ConfinedHandle) return handleMethods;
  return "cookies" in object ? contextMethods : inputMethods;
}

function unavailable(name: string, method: string): Error {
  return new Error(`${name}.${method} is not available without a sandbox (see doctor).`);
}

/** Converts arguments: data stays, and stand-ins become patterns and functions. */
function taken(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(taken);
  if (typeof argument !== "object" || argument === null) return argument;
  const { $function: source, $pattern: pattern, flags } = argument as Record<string, unknown>;
  if (typeof source === "string") return new FunctionText(source);
  if (typeof pattern === "string") return new PatternText(pattern, typeof flags === "string" ? flags : "");
  return Object.fromEntries(Object.entries(argument).map(([name, value]) => [name, taken(value)]));
}

/** Methods that interpreted code may call, by type of object. All others are refused by name. */

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const elementMethods = names(`
  click dblclick tap hover focus fill type press check uncheck selectOption scrollIntoViewIfNeeded innerText innerHTML
  textContent inputValue getAttribute isVisible isEnabled isChecked boundingBox`);

const locatorMethods: ReadonlySet<string> = new Set([
  ...elementMethods,
  ...names("count allInnerTexts waitFor evaluate"),
]);

const handleMethods: ReadonlySet<string> = new Set([
  ...elementMethods,
  ...names("evaluate evaluateHandle jsonValue dispose"),
]);

const pageMethods = names(`
  goto reload goBack goForward title content setContent evaluate evaluateHandle $ $$ $eval $$eval screenshot pdf
  waitForSelector waitForTimeout waitForLoadState waitForURL waitForFunction waitForNavigation setViewportSize bringToFront
  close`);

const contextMethods = names("cookies addCookies clearCookies newPage");

/** Methods of the keyboard and the mouse. Each object supports only its own. */
const inputMethods = names("press type insertText down up move click dblclick wheel");

/** Methods that derive a locator from a page or a locator, synchronously. */
const stepMethods = names(`
  locator getByRole getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId nth first last filter`);
