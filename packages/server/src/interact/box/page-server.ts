import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { parseExpressionAt } from "acorn";

import { AgentBrowser } from "../agent-browser/agent-browser.ts";
import { runAgentCommand } from "../agent-browser/all.ts";
import { PAGE_SOCKET } from "./messages.ts";
import type { BoxPage, SessionObjects } from "./session-page.ts";
import { failureText } from "./value-text.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { type PageFunction, pageFunction } from "../page-api/page-function.ts";

type Question = { readonly agent: readonly string[] } | RemoteCall;

export function servePage(session: BoxPage): void {
  const agent = new AgentBrowser({
    page: () => session.page,
    use: (page) => session.use(page as BoxPage["page"]),
    saveFile: async (path, bytes) => writeFileSync(path, bytes),
  });
  const answer = async (question: Question, objects: RemoteObjects): Promise<RemoteAnswer> => {
    try {
      if (!("agent" in question)) return await objects.call(question);
      return { value: await runAgentCommand(agent, question.agent) };
    } catch (failure) {
      return { error: failureText(failure) };
    }
  };
  const serve = async (visitor: Socket) => {
    visitor.on("error", () => undefined);
    const objects = new RemoteObjects(() => session.objectsNow);
    for await (const line of createInterface({ input: visitor })) {
      visitor.write(`${JSON.stringify(await answer(JSON.parse(line) as Question, objects))}\n`);
    }
  };
  rmSync(PAGE_SOCKET, { force: true });
  createServer((visitor) => void serve(visitor).catch(() => visitor.destroy())).listen(PAGE_SOCKET);
}

/** Calls a method, or reads a property, of an object that another program has a name for. */
interface RemoteCall {
  readonly ref: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

type RemoteAnswer =
  | { readonly value: unknown }
  | { readonly bytes: string }
  | { readonly ref: string }
  | { readonly list: readonly RemoteAnswer[] }
  | { readonly error: string };

/** Methods whose text arguments may be functions. */
const TAKES_FUNCTIONS = /^(?:evaluate|\$\$?eval|waitForFunction)/;

/** Objects of Playwright, with names for other programs of the box. */
class RemoteObjects {
  readonly #session: () => SessionObjects;
  readonly #named = new Map<string, object>();

  constructor(session: () => SessionObjects) {
    this.#session = session;
  }

  /** @throws errors of the method. */
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

/** Converts text that is a function to one, as Playwright for Python does. Other text stays text. */
function asPageFunction(text: string): PageFunction | string {
  try {
    const { type, end } = parseExpressionAt(text, 0, {
      ecmaVersion: "latest",
      allowAwaitOutsideFunction: true,
    });
    const isFunction = type === "ArrowFunctionExpression" || type === "FunctionExpression";
    return isFunction && /^[\s;]*$/.test(text.slice(end)) ? pageFunction(text) : text;
  } catch {
    return text;
  }
}
