import { z } from "zod";

import { SCRAPE_ID, success, URL } from "../../contract/example-values.ts";
import { limits } from "../../contract/limits.ts";
import { defineShape } from "../../contract/operation.ts";
import { Success } from "../../contract/operator/fields.ts";
import { type MapServices, runMap } from "../../families/map/run-map.ts";
import { defineOperation } from "../../operations/operation.ts";
import { withoutOptions } from "./scrape-options.ts";
import { sitemapUse } from "./sitemap-use.ts";

export const map1 = defineOperation({
  line: "POST /v1/map",
  tag: "Version 1",
  summary: "List the pages of a site",
  endpoint: "map",
  rate: "map",
  isPaid: true,
  body: defineShape(
    "MapRequest1",
    z.looseObject({
      url: z.string().max(limits.urlLength),
      ignoreSitemap: z.boolean().optional(),
      sitemapOnly: z.boolean().optional(),
    }),
    { url: "https://example.com", sitemapOnly: true },
  ),
  answer: defineShape(
    "MapAnswer1",
    z.strictObject({
      success: Success,
      id: z.uuid(),
      links: z.array(z.string()),
      warning: z.string().optional(),
    }),
    { success, id: SCRAPE_ID, links: [URL] },
  ),
  errors: [408],
  async handle(call, services: MapServices) {
    const { id, caller, linkBase, signal } = call;
    const body = { ...withoutOptions(call.body, ["ignoreSitemap", "sitemapOnly"]), ...sitemapUse(call.body) };
    const { links, warning, id: mapId } = await runMap({ id, caller, linkBase, body }, services, signal);
    call.note({ mapId, links: links.length });
    return { success: true, id: mapId, links: links.map(({ url }) => url), warning };
  },
});
