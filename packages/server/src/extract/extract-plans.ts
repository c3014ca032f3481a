import { LRUCache } from "lru-cache";

import type { JsonRequest } from "@pergamon-dev/facts/extraction/extract-json";
import { relaxSchema } from "@pergamon-dev/facts/extraction/relax-schema";
import type { JobRun } from "../jobs/run-rows.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import { type PlannedOptions, planForAll } from "../scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { ExtractRequest } from "./extract-request.ts";

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

/** Of as many extractions the plan is made once. */
const REMEMBERED = 20;

/** The options of extractions on their way into the database and back. They may hold cookies and passwords. */
export class ExtractPlans {
  readonly #secrets: Pick<Secrets, "seal" | "open">;
  readonly #plans = new LRUCache<string, ExtractPlan>({ max: REMEMBERED });

  constructor(secrets: Pick<Secrets, "seal" | "open">) {
    this.#secrets = secrets;
  }

  seal(runId: string, options: ExtractOptions): string {
    const content = Buffer.from(JSON.stringify(options));
    return Buffer.from(this.#secrets.seal(content, purposeOf(runId))).toString("base64");
  }

  /** The plan of a run, made once for all its pages. */
  of({ id, options: sealed }: Pick<JobRun, "id" | "options">): ExtractPlan {
    const known = this.#plans.get(id);
    if (known) return known;
    const opened = this.#secrets.open(Buffer.from(sealed, "base64"), purposeOf(id));
    const plan = this.planOf(readOptions(Buffer.from(opened).toString("utf8")));
    this.#plans.set(id, plan);
    return plan;
  }

  planOf(options: ExtractOptions): ExtractPlan {
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
}

/** Extractions that began before the field was renamed have it as `wish`. */
function readOptions(text: string): ExtractOptions {
  const { wish, ...options } = JSON.parse(text) as ExtractOptions & { readonly wish?: JsonRequest };
  return wish ? { ...options, asked: wish } : options;
}

function purposeOf(runId: string): string {
  return `extract:${runId}`;
}
