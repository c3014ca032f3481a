/** What the examples of one document have in common. */
export const SCRAPE_ID = "019a1feb-a30f-7a27-af2c-143e82602e53";
export const TEAM_ID = "019a1feb-0000-7000-8000-000000000001";
export const KEY_ID = "019a1feb-0000-7000-8000-000000000002";
export const SESSION_ID = "019a1feb-c000-7000-8000-000000000004";

export const DAY = "2026-05-02T08:30:00.000Z";
export const LATER = "2026-05-02T09:30:00.000Z";
export const WEEK_LATER = "2026-05-09T08:30:00.000Z";

export const key = { name: "ci", restrictions: { endpoints: ["scrape"], requestsPerMinute: 60 } };
export const accepted = { provider: "weather-service", version: "1", digest: "0".repeat(64) };
export const feedback = {
  endpoint: "scrape",
  rating: "partial",
  issues: ["missing_content"],
  note: "No prices.",
};
