import { lazy } from "@pergamon-dev/kit/lazy";
import type { PageContext } from "../scrape/page/open.ts";
import type { Scraping } from "../scrape/open.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import { mapRequestSchema } from "./request.ts";
import { runMap, type SiteMapper } from "./run-map.ts";

type MapContext = Scraping & PageContext & { readonly scrape: () => ReturnType<typeof scrapeRequestSchema> };

export function openMap({ services: scraping, matchPatterns, scrape }: MapContext): SiteMapper {
  const schema = lazy(() => mapRequestSchema(scrape()));
  const mapRequest = (body: unknown) => schema().parse(body);
  const services = { ...scraping, mapRequest, matchPatterns };
  return { run: (call, isGone) => runMap(call, services, isGone) };
}
