import { z } from "zod";

import { engineProblem } from "../search/engines/drivers.ts";
import { headerKey, list } from "./kinds.ts";
import { definePart } from "./part.ts";

export const search = definePart({
  title: "Search",
  settings: z
    .object({
      SEARCH_URL: list(z.string())
        .default([])
        .describe(
          "search engines in the order in which they are asked: comma list of `searxng+https://host`, `brave://KEY@`, `serper://KEY@`, `tavily://KEY@`, `google-cse://KEY@ENGINE`. Without one, only stored pages are searched",
        ),
      SEARCH_KEY: headerKey().optional().describe("key of engines whose address has none"),
    })
    .superRefine(({ SEARCH_URL: addresses, SEARCH_KEY: key }, context) => {
      for (const [index, address] of addresses.entries()) {
        const message = engineProblem(address, key);
        if (message !== undefined) {
          context.addIssue({ code: "custom", path: ["SEARCH_URL", index], message });
        }
      }
    }),
  derive: ({ SEARCH_URL: addresses, SEARCH_KEY: key }) => ({
    /** Tried in this order. Without engines, stored pages are searched. */
    engines: addresses,
    key,
  }),
});
