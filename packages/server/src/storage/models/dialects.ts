import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";
import { google } from "./google.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";

/** One line per dialect. */
export const dialects = { openai, anthropic, google, ollama } as const satisfies Readonly<
  Record<string, Dialect>
>;

export type DialectName = keyof typeof dialects;

export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];

/** Signs of a dialect in an endpoint's address. All other endpoints use the OpenAI dialect. */
const SIGNS: readonly { readonly name: DialectName; readonly isAt: (url: URL) => boolean }[] = [
  { name: "anthropic", isAt: ({ hostname }) => hostname === "api.anthropic.com" },
  { name: "google", isAt: ({ hostname }) => hostname === "generativelanguage.googleapis.com" },
  { name: "ollama", isAt: ({ port, pathname }) => port === "11434" || pathname === "/api" },
];

export function dialectAt(baseUrl: string): DialectName {
  const url = new URL(baseUrl);
  return SIGNS.find(({ isAt }) => isAt(url))?.name ?? "openai";
}

/** Beginnings of the paths of a dialect, which users often include in the address. */
const OWN_PATHS: Readonly<Record<DialectName, RegExp>> = {
  openai: /\/+$/,
  anthropic: /(?:\/v1)?\/*$/,
  google: /(?:\/v1beta)?\/*$/,
  ollama: /(?:\/v1|\/api)?\/*$/,
};

/** Returns the address to which the paths of a dialect are appended. */
export function apiBaseOf(name: DialectName, given: string): string {
  return given.replace(OWN_PATHS[name], "");
}
