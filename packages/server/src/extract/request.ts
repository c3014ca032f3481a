import { z } from "zod";

import { limits } from "../api/limits.ts";
import { ignoredOptions } from "../api/request.ts";
import { isJsonObject, listOf } from "@pergamon-dev/kit/json";
import { jsonSchemaProblem } from "../scrape/request/json-schema.ts";
import { scrapeOptionsSchema, type scrapeRequestSchema } from "../scrape/request/schema.ts";
import { JobSource } from "../jobs/job-source.ts";
import { webhookEvents, webhookSchema } from "../jobs/webhook-setting.ts";

/** Name of extractions in webhooks and in the database. */
export const EXTRACT = "extract";

const MAX_URLS = 10;
/** Maximum number of pages below one URL that ends in `/*`. */
export const MAX_PAGES_BELOW = 100;
const MAX_PAGES = MAX_URLS * MAX_PAGES_BELOW;
const MAX_PROMPT_LENGTH = 10_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** Second words of an extraction's event types. */

const Flag = z.boolean();
/** An empty text counts as missing. */
const Words = z
  .string()
  .max(MAX_PROMPT_LENGTH)
  .optional()
  .transform((text) => text?.trim() || undefined);

const TOO_MANY_URLS = "Maximum of 10 URLs allowed per request while in beta.";
const EITHER = "Send source without urls and enableWebSearch, because nothing else is read.";
const NO_RETENTION = "Zero data retention is not supported on extract, which keeps its result.";
const USE_AGENT =
  "Use the new /agent endpoint instead of the model v3-beta, or leave agent out: pages are then read one by one.";

/** Body of `POST /v2/extract` (contract of the families, section 10). */
export function extractRequestSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  return z
    .strictObject({
      urls: z
        .array(z.string().max(limits.urlLength))
        .max(MAX_URLS, { error: TOO_MANY_URLS })
        .default([])
        .describe("URLs of pages. One that ends in /* means up to 100 pages below it."),
      source: JobSource.optional(),
      prompt: Words.describe("What to extract, in words. Without a language model a schema is needed."),
      schema: z.unknown().optional().describe("JSON Schema of the result."),
      systemPrompt: Words.describe("Said to the language model before the prompt."),
      limit: z.int().min(1).max(MAX_PAGES).default(MAX_PAGES).describe("The most pages in all."),
      ignoreSitemap: Flag.default(false).describe("Find pages below a URL without sitemaps."),
      includeSubdomains: Flag.default(true).describe("Find pages of subdomains, too."),
      allowExternalLinks: Flag.default(false).describe(
        "Find pages of other sites that the start links to, too.",
      ),
      enableWebSearch: Flag.default(false).describe(
        "Read the first ten results of a search for the prompt, too.",
      ),
      showSources: Flag.default(false).describe("Say which pages each value comes from."),
      ignoreInvalidURLs: Flag.default(true).describe("Skip invalid URLs instead of rejecting the request."),
      scrapeOptions: scrapeOptionsSchema()
        .superRefine(refuseLockdown)
        .optional()
        .describe("How pages are scraped, as in `POST /v2/scrape`. Their format is always json."),
      timeout: z
        .int()
        .min(1000)
        .max(MAX_TIMEOUT_MS)
        .optional()
        .describe("After so many milliseconds no further page is read."),
      agent: z
        .strictObject({ model: z.string().max(100).optional() })
        .refine(({ model }) => model !== "v3-beta", { error: USE_AGENT })
        .optional()
        .describe("Without effect, which the answer says."),
      // Extractions send no page events.
      webhook: webhookSchema(EXTRACT, webhookEvents.extract)
        .transform((webhook) => ({
          ...webhook,
          events: webhook.events.length > 0 ? webhook.events : webhookEvents.extract,
        }))
        .optional(),
      urlTrace: Flag.optional().describe("The trace is always empty."),
      zeroDataRetention: Flag.optional().refine((isOn) => isOn !== true, { error: NO_RETENTION }),
      threatProtection: shape.threatProtection,
      origin: shape.origin,
      integration: shape.integration,
      ...ignoredOptions,
    })
    .superRefine(checkAsked);
}

export type ExtractRequest = z.output<ReturnType<typeof extractRequestSchema>>;

interface Asked {
  readonly urls: readonly string[];
  readonly source?: unknown;
  readonly enableWebSearch: boolean;
  readonly prompt?: string | undefined;
  readonly schema?: unknown;
}

function checkAsked(asked: Asked, context: z.RefinementCtx): void {
  const { urls, source, enableWebSearch, prompt, schema } = asked;
  if (source !== undefined && (urls.length > 0 || enableWebSearch)) refuse(context, ["source"], EITHER);
  if (urls.length === 0 && prompt === undefined && source === undefined)
    refuse(context, [], "Either 'urls' or 'prompt' must be provided.");
  if (schema === undefined) return;
  if (!isJsonSchema(schema) || jsonSchemaProblem(schema) !== undefined)
    refuse(context, ["schema"], "Invalid JSON schema.");
}

/** Lockdown allows no visits, but an extraction finds pages that were not fetched before. */
function refuseLockdown({ lockdown }: { readonly lockdown: boolean }, context: z.RefinementCtx): void {
  if (lockdown) refuse(context, ["lockdown"], "lockdown is not supported here.");
}

function refuse(context: z.RefinementCtx, path: readonly string[], message: string): void {
  context.addIssue({ code: "custom", path: [...path], message });
}

const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
/** Every schema that is not empty has one of these keywords. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "type properties items prefixItems enum const anyOf oneOf allOf $ref $schema $defs definitions".split(" "),
);
/** Deeper schemas are refused elsewhere. */
const MAX_DEPTH = 64;

/** Whether the keywords that decide about shapes have valid values in JSON Schema. */
function isJsonSchema(schema: unknown, depth = 0): boolean {
  if (typeof schema === "boolean") return depth > 0;
  if (!isJsonObject(schema)) return false;
  if (depth > MAX_DEPTH) return true;
  const names = Object.keys(schema);
  if (depth === 0 && names.length > 0 && !names.some((name) => KEYWORDS.has(name))) return false;
  const { type, properties, required, items, enum: choices } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const parts = Array.isArray(items) ? items : items === undefined ? [] : [items];
  return (
    types.every((one) => TYPES.has(one)) &&
    (properties === undefined || isJsonObject(properties)) &&
    Object.values(isJsonObject(properties) ? properties : {}).every((one) => isJsonSchema(one, depth + 1)) &&
    (required === undefined || listOf(required).every((name) => typeof name === "string")) &&
    (required === undefined || Array.isArray(required)) &&
    parts.every((one: unknown) => isJsonSchema(one, depth + 1)) &&
    (choices === undefined || Array.isArray(choices))
  );
}
