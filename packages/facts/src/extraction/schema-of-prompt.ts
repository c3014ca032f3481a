import { conceptOfWords } from "./concepts.ts";
import { labelWords } from "./words.ts";

const MAX_NAME_WORDS = 3;
const MAX_WORDS = 400;
const MAX_PROPERTIES = 30;

/** Concept words that usually mean something else in prompts. */
const VAGUE = new Set("by from date page text link source label content about note item step".split(" "));

/** A schema with the properties that the prompt names. Undefined if it names none. */
export function schemaOfPrompt(prompt: string): object | undefined {
  const words = (prompt.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
  const names = new Map<string, string>();
  for (let at = 0; at < words.length && names.size < MAX_PROPERTIES;) {
    const size = sizeOfName(words, at);
    const name = words.slice(at, at + size).map((word) => word.toLowerCase());
    if (size > 0) names.set(labelWords(name.join(" ")).join(" "), camelCase(name));
    at += Math.max(1, size);
  }
  if (names.size === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries([...names.values()].map((name) => [name, { type: "string" }])),
  };
}

/** Number of following words that together name a concept; 0 if none do. */
function sizeOfName(words: readonly string[], at: number): number {
  for (let size = MAX_NAME_WORDS; size > 0; size--) {
    const name = labelWords(words.slice(at, at + size).join(" "));
    if (
      name.length === size &&
      conceptOfWords(name) !== undefined &&
      !(size === 1 && VAGUE.has(name[0] ?? ""))
    )
      return size;
  }
  return 0;
}

function camelCase([first = "", ...others]: readonly string[]): string {
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}
