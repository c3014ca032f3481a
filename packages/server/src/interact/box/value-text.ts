import { inspect } from "node:util";

/** The result of code as text: strings as they are, what JSON can say as JSON, all else as the language names it. */
export function valueText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? inspect(value);
  } catch {
    // A circle, or a number that JSON has no form for.
    return typeof value === "bigint" ? String(value) : inspect(value);
  }
}

/** What was thrown, in words: people throw anything. */
export function failureText(failure: unknown): string {
  return failure instanceof Error || isErrorLike(failure)
    ? failure.message
    : valueText(failure) || "undefined";
}

/** Errors of another realm. */
function isErrorLike(value: unknown): value is { readonly message: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { message?: unknown }).message === "string"
  );
}
