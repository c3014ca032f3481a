import { runInThisContext } from "node:vm";

/** A function that runs in a page, where it gets one argument. It is never called here. */
export type PageFunction = (argument: unknown) => unknown;

/**
 * Makes one from its source: clients tell functions, which are called, from expressions, which are not.
 * NOTE: reads the source as code of this process. For our own sources, and inside boxes.
 */
export function pageFunction(source: string): PageFunction {
  return runInThisContext(`(argument) => (${source})(argument)`) as PageFunction;
}

/** A function of a caller: text for the page, which is nothing here. */
export class FunctionText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** An expression as text, or a function. */
export type PageScript = string | PageFunction | FunctionText;

/** The source of a call of the script with data. */
export function callOf(script: PageScript, argument: unknown): string {
  if (typeof script === "string") return script;
  return `(${sourceOf(script)})(${JSON.stringify(argument) ?? "undefined"})`;
}

/** The source of a function that calls the script with an element, its `this`, and data. */
export function callOnThis(script: PageScript): string {
  return `function (argument) { return (${sourceOf(script)})(this, argument); }`;
}

function sourceOf(script: PageScript): string {
  if (script instanceof FunctionText) return script.source;
  return typeof script === "string" ? script : script.toString();
}
