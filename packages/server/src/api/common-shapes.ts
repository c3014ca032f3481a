import { z } from "zod";

import { FailureAnswer, RateLimitAnswer } from "./answer.ts";
import { DAY, SCRAPE_ID, success, TEAM_ID } from "./example-values.ts";
import { defineShape, type Media } from "./operation-shape.ts";

/** The body of a response that only confirms success. */
export const done = defineShape("Done", () => z.strictObject({ success: z.literal(true) }), { success });
export const failure = defineShape("Error", FailureAnswer, { success: false, error: "Not Found" });
export const rateLimit = defineShape("RateLimit", RateLimitAnswer, {
  error: "Rate limit exceeded. Try again in 12 seconds.",
});

export const text: Media = { contentType: "text/plain", example: "OK" };
export const page: Media = { contentType: "text/html", example: "<!doctype html>" };
export const lines: Media = {
  contentType: "application/x-ndjson",
  example: `{"id":"${SCRAPE_ID}","time":"${DAY}","kind":"team.created","teamId":"${TEAM_ID}"}\n`,
};
