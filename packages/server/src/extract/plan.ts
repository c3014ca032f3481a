import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { relaxSchema } from "@pergamon-dev/facts/extraction/relax-schema";
import { type PlannedOptions, planForAll } from "../scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { ExtractRequest } from "./request.ts";

/** What stays of a request for as long as its extraction runs, as JSON. */
export interface ExtractOptions extends Pick<
  ExtractRequest,
  | "limit"
  | "ignoreSitemap"
  | "includeSubdomains"
  | "allowExternalLinks"
  | "showSources"
  | "timeout"
  | "threatProtection"
  | "origin"
  | "integration"
> {
  readonly asked: JsonRequest;
  /** As they were sent. */
  readonly scrapeOptions: object;
  /** URLs below which pages are looked for. */
  readonly below: readonly string[];
  /** What is searched for; undefined: nothing. */
  readonly query: string | undefined;
}

export interface ExtractPlan {
  readonly options: ExtractOptions;
  readonly pages: PlannedOptions;
}

/** @param stored extractions that began before the field was renamed have `asked` as `wish`. */
export function planExtract(stored: ExtractOptions & { readonly wish?: JsonRequest }): ExtractPlan {
  const { wish, ...rest } = stored;
  const options = wish ? { ...rest, asked: wish } : rest;
  const { asked, origin, integration, threatProtection } = options;
  const { formats: _formats, ...scrapeOptions } = options.scrapeOptions as { readonly formats?: unknown };
  const sent = {
    origin,
    ...(integration !== undefined && { integration }),
    ...(threatProtection && { threatProtection }),
    ...scrapeOptions,
  };
  const { prompt, schema } = asked;
  const json = { type: "json" as const, schema: relaxSchema(schema), prompt };
  const parsed = { ...scrapeOptionsSchema().parse(sent), formats: [json] };
  return { options, pages: planForAll(parsed, { ...sent, formats: [json] }) };
}
