import { z } from "zod";

import { limits } from "./limits.ts";

/** Labels that every body may carry about its caller. They have no effect. */
export const callerLabels = {
  origin: z
    .string()
    .max(limits.bodyBytes)
    .overwrite((label) => label.slice(0, limits.originLength))
    .optional()
    .describe(`Free-form label of the caller, truncated to ${limits.originLength} characters.`),
  integration: z.string().max(100).nullable().optional().describe("Free-form label of an integration."),
};
