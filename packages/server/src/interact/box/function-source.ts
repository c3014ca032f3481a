import { parseExpressionAt } from "acorn";

import { type PageFunction, pageFunction } from "../page-api/page-function.ts";

/** Functions as text become functions, as Playwright for Python has it; other text stays what it is. */
export function asPageFunction(text: string): PageFunction | string {
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
