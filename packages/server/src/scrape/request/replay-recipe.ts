import type { ScrapeOptions } from "./schema.ts";

/** Options that decide how a page is opened and who may read it, with their defaults. */
const DEFAULTS = {
  headers: {},
  waitFor: 0,
  mobile: false,
  skipTlsVerification: true,
  actions: [],
  location: undefined,
  blockAds: true,
  proxy: "auto",
  profile: undefined,
  threatProtection: undefined,
  safeMode: undefined,
  checkPromptInjection: false,
} as const satisfies Partial<Record<keyof ScrapeOptions, unknown>>;

/** The options that differ from their defaults. */
export type ReplayOptions = Readonly<Record<string, unknown>>;

export function replayOptions(options: ScrapeOptions): ReplayOptions {
  const usual = new Map<string, unknown>(Object.entries(DEFAULTS));
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => usual.has(name) && !isSame(value, usual.get(name))),
  );
}

/**
 * Smallest request body, as JSON, that opens the same page in the same way. Undefined when the URL is enough,
 * as it is for most.
 */
export function replayRecipe(url: string, given: ReplayOptions): string | undefined {
  const { username, password } = new URL(url);
  if (Object.keys(given).length === 0 && username === "" && password === "") return undefined;
  return JSON.stringify({ url, ...given });
}

function isSame(value: unknown, usual: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === usual;
  return typeof usual === "object" && Object.keys(value).length === 0;
}
