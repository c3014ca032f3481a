import { ownProperty } from "@pergamon-dev/kit/own-property";
import { asPageFunction } from "./function-source.ts";
import type { SessionObjects } from "./session-page.ts";

/** A method, or a property, of an object that another program has a name for. */
export interface RemoteCall {
  readonly ref: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** What came of it. Objects that are not data get a name instead. */
export type RemoteAnswer =
  | { readonly value: unknown }
  | { readonly bytes: string }
  | { readonly ref: string }
  | { readonly list: readonly RemoteAnswer[] }
  | { readonly error: string };

/** Methods whose text may be a function. */
const TAKES_FUNCTIONS = /^(?:evaluate|\$\$?eval|waitForFunction)/;

/** Objects of Playwright, by names that other programs of the box use. */
export class RemoteObjects {
  readonly #session: () => SessionObjects;
  readonly #named = new Map<string, object>();

  constructor(session: () => SessionObjects) {
    this.#session = session;
  }

  /** @throws what the method throws. */
  async call({ ref, method, args }: RemoteCall): Promise<RemoteAnswer> {
    const target = this.#find(ref);
    const member: unknown = Reflect.get(target, method);
    if (member === undefined || method.startsWith("_")) throw new Error(`${method} is not available here.`);
    const taken = args.map((argument) =>
      typeof argument === "string" && TAKES_FUNCTIONS.test(method)
        ? asPageFunction(argument)
        : this.#take(argument),
    );
    return this.#give(typeof member === "function" ? await Reflect.apply(member, target, taken) : member);
  }

  #find(ref: string): object {
    const found =
      this.#named.get(ref) ?? ownProperty(this.#session() as unknown as Record<string, object>, ref);
    if (!found) throw new Error(`Unknown object: ${ref}.`);
    return found;
  }

  #give(value: unknown): RemoteAnswer {
    if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
    if (Array.isArray(value) && value.some((one) => !isData(one))) {
      return { list: value.map((one) => this.#give(one)) };
    }
    if (isData(value)) return { value: value ?? null };
    const ref = `object${this.#named.size + 1}`;
    this.#named.set(ref, value as object);
    return { ref };
  }

  #take(argument: unknown): unknown {
    if (Array.isArray(argument)) return argument.map((one) => this.#take(one));
    if (typeof argument !== "object" || argument === null) return argument;
    if ("$ref" in argument) return this.#find(String(argument.$ref));
    if ("$pattern" in argument) return patternOf(argument);
    return Object.fromEntries(Object.entries(argument).map(([name, value]) => [name, this.#take(value)]));
  }
}

function patternOf(argument: { readonly $pattern: unknown; readonly flags?: unknown }): RegExp {
  return new RegExp(String(argument.$pattern), typeof argument.flags === "string" ? argument.flags : "");
}

function isData(value: unknown): boolean {
  if (typeof value === "function") return false;
  if (value === null || typeof value !== "object" || Array.isArray(value)) return true;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}
