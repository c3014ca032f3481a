import { z } from "zod";

import { headerKey, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** Further receivers of the audit log besides the database. */
export const audit = definePart({
  title: "Audit log",
  settings: z.object({
    AUDIT_COLLECTOR_URL: urlOf("http", "https")
      .optional()
      .describe("URL of a collector that receives the audit log as JSON Lines"),
    AUDIT_COLLECTOR_KEY: headerKey().optional().describe("bearer key for the collector"),
  }),
  derive: ({ AUDIT_COLLECTOR_URL: url, AUDIT_COLLECTOR_KEY: apiKey }) => ({
    /** Undefined when the log is not forwarded. */
    collector: url === undefined ? undefined : { url, apiKey },
  }),
});
