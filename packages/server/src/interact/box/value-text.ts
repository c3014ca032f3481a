import { inspect } from "node:util";

/** The result of code as text: strings unchanged, JSON where possible, else as Node inspects it. */
export function valueText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? inspect(value);
  } catch {
    // A circular value, or a number without a form in JSON.
    return typeof value === "bigint" ? String(value) : inspect(value);
  }
}

/** Message of an exception, which can be any value. */
export function failureText(failure: unknown): string {
  return failure instanceof Error || isErrorLike(failure)
    ? failure.message
    : valueText(failure) || "undefined";
}

/** Recognises errors of other realms, where `instanceof` fails. */
function isErrorLike(value: unknown): value is { readonly message: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { message?: unknown }).message === "string"
  );
}
