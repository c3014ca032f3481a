import { runInThisContext } from "node:vm";

/** A function that runs in a page with one argument. It is never called in this process. */
export type PageFunction = (argument: unknown) => unknown;

/**
 * Makes a function from its source, because clients call functions but evaluate expressions.
 * NOTE: evaluates the source in this process. Use it only for sources of this service, and inside boxes.
 */
export function pageFunction(source: string): PageFunction {
  return runInThisContext(`(argument) => (${source})(argument)`) as PageFunction;
}

/** A caller's function. It is text here and runs only in the page. */
export class FunctionText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type PageScript = string | PageFunction | FunctionText;

/** Source that calls the script with data. */
export function callOf(script: PageScript, argument: unknown): string {
  if (typeof script === "string") return script;
  return `(${sourceOf(script)})(${JSON.stringify(argument) ?? "undefined"})`;
}

/** Source of a function that calls the script with an element, its `this`, and data. */
export function callOnThis(script: PageScript): string {
  return `function (argument) { return (${sourceOf(script)})(this, argument); }`;
}

function sourceOf(script: PageScript): string {
  if (script instanceof FunctionText) return script.source;
  return typeof script === "string" ? script : script.toString();
}
