import { z } from "zod";

import { limits } from "../api/limits.ts";
import { ignoredOptions } from "../api/request.ts";
import { JobSource } from "../jobs/job-source.ts";
import { formatList, formatRequests } from "../scrape/request/formats.ts";
import { checkWaits, scrapeOptionsObject, type scrapeRequestSchema } from "../scrape/request/schema.ts";

const MAX_QUERY_LENGTH = 500;
const DEFAULT_LIMIT = 10;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_WORD_LENGTH = 200;
const MAX_DOMAINS = 100;

const SOURCES = ["web", "images", "news", "alexandria"] as const;
const CATEGORIES = ["github", "research", "pdf", "developer", "gov"] as const;
export type SearchCategory = (typeof CATEGORIES)[number];

/** Formats for pages of results. */
const PAGE_FORMATS: ReadonlySet<string> = new Set([
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "product",
  "menu",
  "json",
  "question",
  "highlights",
  "query",
  "screenshot",
]);

/** A label of a host name. It must not start or end with a hyphen. */
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST_NAME = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`);

const Flag = z.boolean();
/** An empty text counts as missing. */
const Word = z
  .string()
  .max(MAX_WORD_LENGTH)
  .optional()
  .transform((text) => text?.trim() || undefined);

const Domains = z
  .array(
    z
      .string()
      .max(253)
      .transform((text) => text.trim().toLowerCase())
      .refine((text) => HOST_NAME.test(text), {
        error: "Domain must be a valid hostname without protocol or path",
      }),
  )
  .max(MAX_DOMAINS)
  .default([]);

const webOptions = { tbs: Word, filter: Word, lang: Word, country: Word, location: Word };
const Source = z.union([
  z.enum(SOURCES).transform((type) => ({ type })),
  z.strictObject({ type: z.literal("web"), ...webOptions }),
  z.strictObject({ type: z.enum(["images", "news", "alexandria"]) }),
]);
const Category = z.union([
  z.enum(CATEGORIES),
  z.strictObject({ type: z.enum(CATEGORIES) }).transform(({ type }) => type),
]);

/** The body of `POST /v2/search` (contract of the families, section 7). */
export function searchRequestSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  return z
    .strictObject({
      query: z
        .string()
        .max(limits.promptLength)
        .transform((text) => text.trim())
        .describe("1 to 500 characters."),
      limit: z.int().min(1).max(100).default(DEFAULT_LIMIT).describe("Results of each source."),
      sources: z
        .array(Source)
        .min(1)
        .max(20)
        .default([{ type: "web" }])
        .describe("Names, or objects."),
      source: JobSource.optional().describe(
        "Looks only in the stored pages of a crawl or batch that has ended, among the team's 2000 best. No engine is asked.",
      ),
      categories: z.array(Category).max(20).default([]).describe("Only results of these kinds."),
      includeDomains: Domains.describe("Only results of these hosts."),
      excludeDomains: Domains.describe("No results of these hosts."),
      tbs: Word.describe("When: qdr:h, d, w, m or y; cdr:1,cd_min:M/D/YYYY,cd_max:M/D/YYYY; sbd:1."),
      lang: Word.describe("ISO 639-1. Default: en."),
      filter: Word,
      location: Word.describe("Where results matter, in words."),
      country: Word.describe("ISO 3166-1 alpha-2. Default: us, without a location."),
      safe: Flag.optional().describe("Filter out explicit results."),
      timeout: z.int().min(1).max(limits.timeoutMs.maximum).default(DEFAULT_TIMEOUT_MS),
      ignoreInvalidURLs: Flag.default(false).describe("Leave out results that are not web pages."),
      asyncScraping: Flag.default(false),
      highlights: Flag.default(true).describe(
        "Describe results by what own copies of their pages say of the query.",
      ),
      scrapeOptions: PageOptions().optional().describe("Pages of results, where formats are named."),
      enterprise: z
        .array(z.enum(["default", "anon", "zdr"]))
        .max(3)
        .default([]),
      threatProtection: shape.threatProtection,
      auditMetadata: shape.auditMetadata,
      domainTools: shape.domainTools,
      toolDetail: shape.toolDetail,
      origin: shape.origin,
      integration: shape.integration,
      ...ignoredOptions,
    })
    .superRefine(checkQuery)
    .superRefine(checkDomains);
}

export type SearchRequest = z.output<ReturnType<typeof searchRequestSchema>>;

function PageOptions() {
  return scrapeOptionsObject()
    .extend({ formats: formatList(formatRequests).unwrap().default([]) })
    .superRefine(checkWaits)
    .superRefine(({ formats, lockdown }, context) => {
      const other = formats.find(({ type }) => !PAGE_FORMATS.has(type));
      if (other) refuse(context, ["formats"], `The format ${other.type} is not supported here.`);
      if (lockdown) refuse(context, ["lockdown"], "lockdown is not supported here.");
    });
}

function checkQuery(
  { query, sources }: { readonly query: string; readonly sources: readonly { readonly type: string }[] },
  context: z.RefinementCtx,
): void {
  if (query === "" && sources.some(({ type }) => type === "alexandria")) {
    return refuse(context, ["query"], "A query is required for tool search.");
  }
  if (query === "") {
    context.addIssue({ code: "too_small", minimum: 1, origin: "string", inclusive: true, path: ["query"] });
  }
  if (query.length > MAX_QUERY_LENGTH) {
    context.addIssue({
      code: "too_big",
      maximum: MAX_QUERY_LENGTH,
      origin: "string",
      inclusive: true,
      path: ["query"],
    });
  }
}

function checkDomains(
  { includeDomains, excludeDomains, categories }: Pick<DomainFields, keyof DomainFields>,
  context: z.RefinementCtx,
): void {
  if (includeDomains.length > 0 && excludeDomains.length > 0) {
    refuse(context, [], "includeDomains and excludeDomains cannot both be specified");
  }
  if (categories.includes("developer") && categories.some((category) => category !== "developer")) {
    refuse(context, ["categories"], "the developer category cannot be combined with other categories");
  }
}

interface DomainFields {
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly SearchCategory[];
}

function refuse(context: z.RefinementCtx, path: readonly string[], message: string): void {
  context.addIssue({ code: "custom", path: [...path], message });
}
