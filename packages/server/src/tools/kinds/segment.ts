import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Options } from "../catalogue/capability.ts";
import { ToolError } from "../catalogue/tool-error.ts";

/**
 * Encodes an option as one path segment.
 * @throws ToolError when it is missing, or consists of dots that lead to another folder.
 */
export function segmentOf(options: Options, name: string): string {
  const text = optionText(ownProperty(options, name));
  if (text === "" || /^\.{1,2}$/.test(text))
    throw new ToolError("invalid_options", `${name} cannot be ${JSON.stringify(text)}.`);
  if (!isWellFormed(text))
    throw new ToolError("invalid_options", `${name} contains half of a surrogate pair.`);
  return encodeURIComponent(text);
}

/** An option as text; empty when it is missing. */
export function optionText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Lone surrogates have no encoding. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
