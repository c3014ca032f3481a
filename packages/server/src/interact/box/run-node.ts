import { createRequire } from "node:module";
import { constants, runInThisContext } from "node:vm";

import type { CodeOutcome } from "./messages.ts";
import { prepareCode } from "./prepare-code.ts";
import type { SessionObjects } from "./session-page.ts";
import { failureText, valueText } from "./value-text.ts";

const OWN_FOLDER = "/opt/box/";

/** Thrown when code calls `process.exit`. The box continues and keeps its state. */
class ExitRequest extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The code exited with ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** Runs code in this process, one call after the other. Later calls find the globals of earlier ones. */
export class NodeCode {
  readonly #require = createRequire(OWN_FOLDER);
  readonly #given = new Map<string, unknown>();
  #exit: (request: ExitRequest) => void = () => undefined;

  constructor() {
    process.exit = (code) => {
      const request = new ExitRequest(Number(code ?? process.exitCode ?? 0));
      process.exitCode = undefined;
      // Also prints the exit where no caller catches the exception.
      this.#exit(request);
      throw request;
    };
    // An unhandled rejection does not end the box. It is printed, as by Node's prompt.
    const report = (failure: unknown) => {
      if (!(failure instanceof ExitRequest)) process.stderr.write(`${traceOf(failure)}\n`);
    };
    process.on("uncaughtException", report);
    process.on("unhandledRejection", report);
  }

  async run(code: string, objects: SessionObjects): Promise<CodeOutcome> {
    this.#offer({ ...objects, require: this.#require });
    const exited = new Promise<never>((_resolve, reject) => {
      this.#exit = reject;
    });
    try {
      const { source, names } = prepareCode(code);
      declare(names);
      return { result: valueText(await Promise.race([evaluate(source), exited])), exitCode: 0 };
    } catch (failure) {
      if (failure instanceof ExitRequest) return { result: "", exitCode: failure.exitCode };
      process.stderr.write(`${traceOf(failure)}\n`);
      return { result: "", exitCode: 1, error: failureText(failure) };
    } finally {
      this.#exit = () => undefined;
    }
  }

  /** Does not replace globals that code has changed. */
  #offer(globals: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(globals)) {
      if (this.#given.get(name) === value) continue;
      this.#given.set(name, value);
      define(name, value);
    }
  }
}

function evaluate(source: string): unknown {
  return runInThisContext(source, {
    filename: "code",
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Makes assignments work even for names of Node's globals, such as `crypto`. */
function declare(names: readonly string[]): void {
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(globalThis, name);
    if (!property?.writable) define(name, undefined);
  }
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
}

/** Leaves out the stack frames of the runner. */
function traceOf(failure: unknown): string {
  if (!(failure instanceof Error)) return failureText(failure);
  const lines = (failure.stack ?? failure.message).split("\n");
  return lines.filter((line) => !/^\s+at .*(?:\/opt\/box\/|node:)/.test(line)).join("\n");
}
