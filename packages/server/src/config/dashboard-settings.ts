/**
 * Settings that the dashboard may change. Never among them: paths and programs, what opens the own network, who may
 * call, keys of the service, and where its data lie.
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
 * An address → the keys that are sent to it. A key never travels to an address that its owner did not mean: an operator who
 * changes the address types the key again, and one that the environment gives keeps the address out of reach.
 */
export const KEYS_OF_ADDRESSES: ReadonlyMap<string, readonly string[]> = new Map([
  ["LLM_BASE_URL", ["LLM_API_KEY", "LLM_HEADERS"]],
  ["LLM_FALLBACKS", ["LLM_HEADERS"]],
]);
