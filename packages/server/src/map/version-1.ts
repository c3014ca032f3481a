import { z } from "zod";

import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import type { SiteMapper } from "./run-map.ts";
import { defineOperation } from "../api/operation.ts";
import { withoutOptions } from "../scrape/version-1-options.ts";
import { sitemapUse } from "../fetch/site/version-1-sitemaps.ts";

export const map1 = defineOperation({
  line: "POST /v1/map",
  tag: "Version 1",
  summary: "List the pages of a site",
  endpoint: "map",
  rate: "map",
  isPaid: true,
  body: defineShape(
    "MapRequest1",
    () =>
      z.looseObject({
        url: z.string().max(limits.urlLength),
        ignoreSitemap: z.boolean().optional(),
        sitemapOnly: z.boolean().optional(),
      }),
    { url: "https://example.com", sitemapOnly: true },
  ),
  answer: defineShape(
    "MapAnswer1",
    () =>
      z.strictObject({
        success: Success,
        id: z.uuid(),
        links: z.array(z.string()),
        warning: z.string().optional(),
      }),
    { success, id: SCRAPE_ID, links: [EXAMPLE_URL] },
  ),
  errors: [408],
  async handle(call, mapper: SiteMapper) {
    const { id, caller, linkBase, signal } = call;
    const body = { ...withoutOptions(call.body, ["ignoreSitemap", "sitemapOnly"]), ...sitemapUse(call.body) };
    const { links, warning, id: mapId } = await mapper.run({ id, caller, linkBase, body }, signal);
    call.note({ mapId, links: links.length });
    return { success: true, id: mapId, links: links.map(({ url }) => url), warning };
  },
});
