import { runInThisContext } from "node:vm";

/** A function that runs in a page, where it gets one argument. It is never called here. */
export type PageFunction = (argument: unknown) => unknown;

/** Makes one from its source: clients tell functions, which are called, from expressions, which are not. */
export function pageFunction(source: string): PageFunction {
  return runInThisContext(`(argument) => (${source})(argument)`) as PageFunction;
}
