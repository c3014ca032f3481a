import type { ScrapeRequest } from "./schema.ts";

/** What of a request decides how its page is opened and who may read it, with what it is when nobody says anything. */
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
} as const satisfies Partial<Record<keyof ScrapeRequest, unknown>>;

/**
 * The smallest body, as JSON, of a request that opens the same page in the same way. Undefined when its URL says it
 * all, as it does for most.
 */
export function replayRecipe(request: ScrapeRequest): string | undefined {
  const usual = new Map<string, unknown>(Object.entries(DEFAULTS));
  const given = Object.entries(request).filter(
    ([name, value]) => usual.has(name) && !isSame(value, usual.get(name)),
  );
  const { username, password } = new URL(request.url);
  if (given.length === 0 && username === "" && password === "") return undefined;
  return JSON.stringify({ url: request.url, ...Object.fromEntries(given) });
}

function isSame(value: unknown, usual: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === usual;
  return typeof usual === "object" && Object.keys(value).length === 0;
}
