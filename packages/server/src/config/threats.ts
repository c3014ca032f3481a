import { z } from "zod";

import { assertThreatsUrl, needsThreatsKey } from "../fetch/threats/drivers.ts";
import { checkedBy, headerKey } from "./kinds.ts";
import { definePart } from "./part.ts";

export const threats = definePart({
  title: "Threats",
  settings: z
    .object({
      THREATS_URL: checkedBy(assertThreatsUrl)
        .optional()
        .describe(
          "classifier of dangerous URLs: `file:` and the path of a list of hosts, or the base URL of Google Web Risk",
        ),
      THREATS_KEY: headerKey().optional().describe("API key of the classifier"),
    })
    .refine(({ THREATS_URL: url, THREATS_KEY: key }) => !url || !needsThreatsKey(url) || key !== undefined, {
      path: ["THREATS_KEY"],
      error: "is required by the classifier of THREATS_URL",
    }),
  derive: ({ THREATS_URL: url, THREATS_KEY: apiKey }) => ({
    /** When undefined, every URL counts as harmless. */
    classifier: url === undefined ? undefined : { url, apiKey },
  }),
});
