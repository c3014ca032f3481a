import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { relaxSchema } from "@pergamon-dev/facts/extraction/relax-schema";
import { type PlannedOptions, planForAll } from "../scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { ExtractRequest } from "./request.ts";

/** Options that are stored as JSON while the extraction runs. */
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
  /** As sent by the client. */
  readonly scrapeOptions: object;
  /** URLs below which pages are searched. */
  readonly below: readonly string[];
  /** Query of the web search. Undefined: no search. */
  readonly query: string | undefined;
}

export interface ExtractPlan {
  readonly options: ExtractOptions;
  readonly pages: PlannedOptions;
}

/** @param stored its field `asked` was named `wish` in extractions that began before the renaming. */
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
  const json = {
    type: "json" as const,
    schema: relaxSchema(schema),
    prompt,
    citeSources: options.showSources,
  };
  const parsed = { ...scrapeOptionsSchema().parse(sent), formats: [json] };
  return { options, pages: planForAll(parsed, { ...sent, formats: [json] }) };
}
