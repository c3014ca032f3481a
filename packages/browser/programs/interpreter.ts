import { timersOf } from "./interpreter-timers.ts";
import { bytesOf, type CallAnswer, encode, show } from "./interpreter-values.ts";

/** The world outside, as the interpreter hands it over. Texts are JSON. */
type Ask = (call: string) => Promise<string>;
type Print = (isError: boolean, text: string) => void;
type Later = (delayMs: number) => Promise<void>;
type End = (isFailure: boolean, text: string, stack: string) => void;

type Step = readonly [method: string, args: unknown];
type Own = Readonly<Record<string, unknown>>;

/** What a method is called on: the parts are names of the world outside. */
interface Target {
  readonly page?: string;
  readonly part?: string;
  readonly ref?: string;
  readonly context?: boolean;
  readonly browser?: boolean;
}

interface OpenPage {
  readonly id: string;
  readonly url: string;
}

/** Methods that only describe what is meant. */
const STEPS = new Set([
  "locator",
  "getByRole",
  "getByText",
  "getByLabel",
  "getByPlaceholder",
  "getByAltText",
  "getByTitle",
  "getByTestId",
  "nth",
  "first",
  "last",
  "filter",
]);
const EVENTS = new Set(["on", "once", "off", "addListener", "removeListener", "removeAllListeners"]);
const NEEDS_SANDBOX = "is not available without a sandbox (see doctor).";

/**
 * Gives code of an interpreter `console`, timers, and `page`, `context` and `browser`, whose methods are carried out
 * outside. @returns what starts one run, with the session as JSON and the code.
 */
export function prelude(ask: Ask, print: Print, later: Later, end: End): unknown {
  const pages = new Pages(ask);
  const write =
    (isError: boolean) =>
    (...values: readonly unknown[]) =>
      print(isError, `${values.map(show).join(" ")}\n`);
  const [out, error] = [write(false), write(true)];
  Object.assign(globalThis, timersOf(later), {
    context: pages.context,
    browser: pages.browser,
    console: { log: out, info: out, debug: out, warn: error, error },
    require: (name: unknown) => refuse(`require(${show(name)})`),
  });
  return (session: string, started: () => Promise<unknown>) => {
    const { pages: open, page } = JSON.parse(session) as { pages: readonly OpenPage[]; page: string };
    pages.open = open;
    Object.assign(globalThis, { page: pages.page(page) });
    void run(started, end);
  };
}

async function run(started: () => Promise<unknown>, end: End): Promise<void> {
  try {
    const value = await started();
    end(false, value === undefined ? "" : show(value), "");
  } catch (failure) {
    if (failure instanceof Error)
      end(true, failure.message, `${failure.name}: ${failure.message}\n${failure.stack ?? ""}`);
    else end(true, show(failure), show(failure));
  }
}

function refuse(what: string): never {
  throw new Error(`${what} ${NEEDS_SANDBOX}`);
}

/** Objects of the world outside. */
class Pages {
  open: readonly OpenPage[] = [];
  readonly context: object;
  readonly browser: object;
  readonly #ask: Ask;
  readonly #names = new WeakMap<object, string>();
  readonly #pages = new Map<string, object>();

  constructor(ask: Ask) {
    this.#ask = ask;
    this.context = this.#object({ context: true }, [], {
      pages: () => this.open.map(({ id }) => this.page(id)),
    });
    const own = { contexts: () => [this.context], isConnected: () => true };
    this.browser = this.#object({ browser: true }, [], own);
  }

  page(id: string): object {
    const known = this.#pages.get(id);
    if (known) return known;
    const page = this.#object({ page: id }, [], {
      url: () => this.open.find((one) => one.id === id)?.url ?? "about:blank",
      isClosed: () => !this.open.some((one) => one.id === id),
      context: () => this.context,
      keyboard: this.#object({ page: id, part: "keyboard" }, []),
      mouse: this.#object({ page: id, part: "mouse" }, []),
    });
    this.#pages.set(id, page);
    return page;
  }

  #object(target: Target, steps: readonly Step[], own: Own = {}): object {
    const object = new Proxy(own, {
      get: (_, name) => {
        if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
        return Object.hasOwn(own, name) ? own[name] : this.#method(target, steps, name);
      },
    });
    if (target.ref !== undefined) this.#names.set(object, target.ref);
    return object;
  }

  #method(target: Target, steps: readonly Step[], name: string): unknown {
    if (EVENTS.has(name)) return () => refuse(name);
    if (STEPS.has(name))
      return (...args: readonly unknown[]) => this.#locator(target, [...steps, [name, this.#encode(args)]]);
    return (...args: readonly unknown[]) =>
      this.#call({ target, steps, method: name, args: this.#encode(args) });
  }

  #locator(target: Target, steps: readonly Step[]): object {
    const all = async () => {
      const count = await this.#call({ target, steps, method: "count", args: [] });
      return Array.from({ length: Number(count) }, (_, index) =>
        this.#locator(target, [...steps, ["nth", [index]]]),
      );
    };
    return this.#object(target, steps, { all });
  }

  #encode(args: readonly unknown[]): unknown {
    return encode(args, this.#names);
  }

  async #call(call: object): Promise<unknown> {
    const answer = JSON.parse(await this.#ask(JSON.stringify(call))) as CallAnswer & {
      pages: readonly OpenPage[];
    };
    this.open = answer.pages;
    if (answer.error !== undefined) throw new Error(answer.error);
    return this.#decode(answer);
  }

  #decode(answer: CallAnswer): unknown {
    if (answer.list) return answer.list.map((one) => this.#decode(one));
    if (answer.bytes !== undefined) return bytesOf(answer.bytes);
    if (answer.page !== undefined) return this.page(answer.page);
    if (answer.ref !== undefined) return this.#object({ ref: answer.ref }, []);
    return answer.value;
  }
}
