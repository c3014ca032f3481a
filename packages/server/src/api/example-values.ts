/** Example values shared by the pages of the reference. */
export const SCRAPE_ID = "019a1feb-a30f-7a27-af2c-143e82602e53";
export const TEAM_ID = "019a1feb-0000-7000-8000-000000000001";
export const KEY_ID = "019a1feb-0000-7000-8000-000000000002";
export const SESSION_ID = "019a1feb-c000-7000-8000-000000000004";
export const API_KEY = "fc-0123456789abcdef0123456789abcdef";
export const EXAMPLE_URL = "https://example.com/";

export const DAY = "2026-05-02T08:30:00.000Z";
export const LATER = "2026-05-02T09:30:00.000Z";
export const WEEK_LATER = "2026-05-09T08:30:00.000Z";
export const MONTH = "2026-05-01T00:00:00.000Z";
export const NEXT_MONTH = "2026-06-01T00:00:00.000Z";

export const DIGEST = "0".repeat(64);
export const VERSION = "0".repeat(32);

export const success = true;
/** The last page of a list. */
export const lastPage = { success, cursor: null };
export const threatPolicy = {
  mode: "manual-only",
  riskScoreThreshold: 75,
  blacklist: ["bad.example"],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: "closed",
  allowRequestOverrides: true,
};
export const feedback = {
  endpoint: "scrape",
  rating: "partial",
  issues: ["missing_content"],
  note: "The prices are missing.",
};

export const scrapeIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
export const sessionIdPart = { type: "string", format: "uuid", examples: [SESSION_ID] };
export const teamIdPart = { type: "string", examples: [TEAM_ID] };
export const keyIdPart = { type: "string", examples: [KEY_ID] };
