/**
 * Settings that the dashboard may change. It may never change paths and programs, access to the private
 * network, authentication, keys of the service, or the location of its data.
 */
export const DASHBOARD_SETTINGS = [
  "LLM_BASE_URL",
  "LLM_API_KEY",
  "LLM_MODEL",
  "LLM_API",
  "LLM_FALLBACKS",
  "LLM_TIMEOUT",
  "LLM_CONCURRENCY",
  "LLM_MAX_INPUT_TOKENS",
  "LLM_MAX_OUTPUT_TOKENS",
  "LLM_DAILY_TOKENS",
  "LLM_HEADERS",
  "PROXIES",
  "RATE_LIMIT",
  "TEAM_CONCURRENCY",
  "CACHE_MAX_BYTES",
  "JOB_RETENTION_HOURS",
  "AD_LISTS",
  "BLOCKED_DOMAINS",
] as const;

/**
 * An address setting → the keys that are sent to this address. A key must never reach an address that its
 * owner did not intend: an operator who changes the address must enter the key again, and a key from the
 * environment locks the address.
 */
export const KEYS_OF_ADDRESSES: ReadonlyMap<string, readonly string[]> = new Map([
  ["LLM_BASE_URL", ["LLM_API_KEY", "LLM_HEADERS"]],
  ["LLM_FALLBACKS", ["LLM_HEADERS"]],
]);
