import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import { scrapeOptionsSchema, type scrapeRequestSchema } from "../scrape/request/schema.ts";
import { compilePatterns } from "../fetch/urls/patterns.ts";
import { programSizeOf } from "../fetch/urls/program-size.ts";
import { type TargetRules, withMarkdown } from "./tracked-options.ts";

/** Limits for all targets of a monitor together. */
const MAX_URLS = 10_000;
const MAX_TARGETS = 50;
const MAX_QUERIES = 12;
const MAX_QUERY_LENGTH = 256;
const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 10;
const MAX_DOMAINS = 50;
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const WINDOWS = ["5m", "15m", "1h", "6h", "24h", "7d"] as const;

/**
 * Schema of targets (contract of the families, section 9.2). @param scrape body of a scrape, which has the
 * same URLs.
 */
export function targetsSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  const id = z.uuid().optional();
  const scrapeOptions = z
    .preprocess(
      withMarkdown,
      scrapeOptionsSchema().superRefine(({ lockdown }, context) => {
        if (lockdown) refuse(context, ["lockdown"], "lockdown is not supported here.");
      }),
    )
    .optional()
    .describe("How pages are scraped, as in `POST /v2/scrape`. Default of maxAge: 0.");
  const scrapeTarget = z.strictObject({
    id,
    type: z.literal("scrape"),
    urls: Urls(shape.url).optional().describe("The pages. The same one twice counts once."),
    url: shape.url.optional().describe("The same as `urls` with one entry."),
    scrapeOptions,
    ignore: Ignore,
    kind: z
      .enum(["page", "product", "value"])
      .optional()
      .describe("What is compared: the text, price and stock of a product, or the values of `schema`."),
    threshold: z
      .union([
        z.number().min(0),
        z
          .string()
          .max(11)
          .regex(/^\d{1,3}(?:\.\d{1,6})?%$/),
      ])
      .optional()
      .describe("Of `product`: the least difference of a price that counts, such as 5 or `5%`."),
    schema: boundedRecord(z.unknown())
      .optional()
      .describe("Of `value`: a JSON Schema whose properties have hints, such as `x-selector`."),
  });
  const crawlTarget = z.strictObject({
    id,
    type: z.literal("crawl"),
    url: shape.url,
    crawlOptions: boundedRecord(z.unknown())
      .optional()
      .describe("Which pages are visited: fields of `POST /v2/crawl`."),
    scrapeOptions,
    ignore: Ignore,
  });
  return z
    .array(z.discriminatedUnion("type", [scrapeTarget, crawlTarget, searchTarget(id)]))
    .min(1)
    .max(MAX_TARGETS)
    .superRefine(checkTargets);
}

function searchTarget(id: z.ZodOptional<z.ZodUUID>) {
  const left = z.unknown().optional();
  return z
    .strictObject({
      id,
      type: z.literal("search"),
      queries: z.array(z.string().trim().min(1).max(MAX_QUERY_LENGTH)).min(1).max(MAX_QUERIES),
      searchWindow: z.enum(WINDOWS).default("24h").describe("How old results may be."),
      maxResults: z.int().min(1).max(MAX_RESULTS).default(DEFAULT_RESULTS).describe("Of each query."),
      includeDomains: Domains.describe("Only results of these hosts."),
      excludeDomains: Domains.describe("No results of these hosts."),
      depth: left,
      alertMode: left,
      recheckAfter: left,
      scrapeOptions: left,
    })
    .transform(({ depth: _a, alertMode: _b, recheckAfter: _c, scrapeOptions: _d, ...target }) => target);
}

const MAX_RULES = 20;
/** Instructions of all patterns of a target together, which are matched against whole pages. */
const MAX_PROGRAM_SIZE = 2000;
const Rules = z.array(z.string().min(1).max(500)).max(MAX_RULES).optional();

const Ignore = z
  .strictObject({
    selectors: Rules.describe("CSS selectors of elements that are left out."),
    text: Rules.describe("Lines with one of these texts do not count, in any case of letters."),
    patterns: Rules.describe("Regular expressions of RE2; what they match does not count."),
  })
  .superRefine(({ patterns = [] }, context) => {
    const compiled = compilePatterns({ include: [], exclude: patterns, areOfWholeUrl: true });
    const faults = "ruleAgainst" in compiled ? [] : compiled;
    for (const { index, reason } of faults)
      refuse(context, ["patterns", index], `Not a regular expression of RE2: ${reason}`);
    if (programSizeOf(patterns.join("|")) > MAX_PROGRAM_SIZE)
      refuse(context, ["patterns"], "All patterns together are too large.");
  })
  .optional()
  .describe("What does not count as a change.");

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

/** Reports at most one invalid URL. */
function Urls(Url: z.ZodType<string, string>) {
  return z
    .array(z.unknown())
    .min(1)
    .max(MAX_URLS)
    .transform((list, context): readonly string[] => {
      const urls = new Set<string>();
      for (const [index, entry] of list.entries()) {
        const parsed = Url.safeParse(entry);
        if (parsed.success) urls.add(parsed.data);
        else {
          const message = parsed.error.issues[0]?.message ?? "Invalid URL";
          refuse(context, [index], message);
          return z.NEVER;
        }
      }
      return [...urls];
    })
    .meta({ items: { type: "string", maxLength: limits.urlLength } });
}

type ParsedTargets = readonly (
  | {
      readonly id?: string | undefined;
      readonly type: "scrape";
      readonly urls?: readonly string[] | undefined;
      readonly url?: string | undefined;
      readonly kind?: TargetRules["kind"];
      readonly schema?: object | undefined;
      readonly threshold?: ScrapeTarget["threshold"];
    }
  | { readonly id?: string | undefined; readonly type: "crawl" }
  | {
      readonly id?: string | undefined;
      readonly type: "search";
      readonly includeDomains: readonly string[];
      readonly excludeDomains: readonly string[];
    }
)[];

function checkTargets(targets: ParsedTargets, context: z.RefinementCtx): void {
  const ids = targets.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) refuse(context, [], "Two targets have the same id.");
  let urls = 0;
  for (const [index, target] of targets.entries()) {
    if (target.type === "scrape") {
      if ((target.urls === undefined) === (target.url === undefined))
        refuse(context, [index, "urls"], "A scrape target needs either urls or url.");
      if ((target.kind === "value") !== (target.schema !== undefined))
        refuse(context, [index, "schema"], "A target needs a schema if its kind is value, and only then.");
      if (target.threshold !== undefined && target.kind !== "product")
        refuse(context, [index, "threshold"], "Only products have a threshold.");
      urls += target.urls?.length ?? 1;
    }
    if (target.type === "search" && target.includeDomains.length > 0 && target.excludeDomains.length > 0)
      refuse(context, [index], "includeDomains and excludeDomains are mutually exclusive");
  }
  if (urls > MAX_URLS)
    refuse(context, [], `A monitor has at most ${MAX_URLS} URLs in all its targets. Use several monitors.`);
}

function refuse(context: z.RefinementCtx, path: readonly (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path: [...path], message });
}

interface TargetOf<Type extends string> {
  readonly id: string;
  readonly type: Type;
}

export interface ScrapeTarget extends TargetOf<"scrape">, TargetRules {
  readonly urls: readonly string[];
  /** Least difference of a product's price that counts, such as 5 or `5%`. */
  readonly threshold?: number | string | undefined;
  /** As sent by the client. */
  readonly scrapeOptions?: object;
}

export interface CrawlTarget extends TargetOf<"crawl">, Pick<TargetRules, "ignore"> {
  readonly url: string;
  readonly crawlOptions?: object;
  readonly scrapeOptions?: object;
}

export interface SearchTarget extends TargetOf<"search"> {
  readonly queries: readonly string[];
  readonly searchWindow: (typeof WINDOWS)[number];
  readonly maxResults: number;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
}

export type Target = ScrapeTarget | CrawlTarget | SearchTarget;
