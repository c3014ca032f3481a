import { credits } from "../../contract/credits.ts";
import { ServiceError } from "../../contract/errors.ts";
import * as formats from "../formats/all.ts";
import type { Format, FormatTable } from "../formats/format.ts";
import type { ScrapeJob } from "./job.ts";

/** What came to light during a scrape and makes a difference to its price. */
export interface Findings {
  readonly cacheState: "hit" | "miss" | undefined;
  /** Pages of a PDF that were parsed; undefined for everything else. */
  readonly pdfPages?: number | undefined;
  /** URLs that a classifier judged. */
  readonly threatScans: number;
  /** The formats that a language model answered. */
  readonly byModel?: ReadonlySet<string>;
}

interface Priced extends Findings {
  readonly job: ScrapeJob;
}

/** What is added for options, parsers and circumstances: one line each (contract, section 5.1). */
const surcharges: readonly { readonly name: string; readonly credits: (scrape: Priced) => number }[] = [
  { name: "PDF", credits: ({ pdfPages = 1 }) => (pdfPages - 1) * credits.furtherPdfPage },
  {
    name: "redactPII",
    credits: ({ job, pdfPages = 1 }) =>
      job.request.redactPII === false ? 0 : pdfPages * credits.redactedPage,
  },
  { name: "threatProtection", credits: ({ threatScans }) => threatScans * credits.threatScan },
  {
    name: "zeroDataRetention",
    credits: ({ job }) => (job.retention === "none" && !job.plan.lockdown ? credits.zeroDataRetention : 0),
  },
  {
    name: "lockdown",
    credits: ({ job, cacheState }) => (job.plan.lockdown && cacheState === "hit" ? credits.lockdownHit : 0),
  },
  {
    name: "checkPromptInjection",
    credits: ({ job }) => (job.request.checkPromptInjection ? credits.promptInjectionCheck : 0),
  },
];

/** Credits of a successful scrape. */
export function priceOf(job: ScrapeJob, findings: Findings): number {
  const wanted = pricedFormats(job);
  const bases = wanted.map(({ format, options }) => format.baseCredits?.(options) ?? credits.base);
  const added = wanted.map(({ format }) => format.credits);
  const scrape: Priced = { job, ...findings };
  const byModel = wanted.filter(({ options }) => findings.byModel?.has(options.type));
  const answered = byModel.map(({ format }) => format.modelCredits ?? 0);
  const extra = surcharges.map((surcharge) => surcharge.credits(scrape));
  return Math.max(credits.base, ...bases) + sum(added) + sum(answered) + sum(extra);
}

/** The formats of the request, also those that were left out of the answer: they are charged as asked. */
function pricedFormats({ request }: ScrapeJob): readonly PricedFormat[] {
  const known = pricedOfRequest.get(request);
  if (known) return known;
  const first = new Map(request.formats.toReversed().map((options) => [options.type, options]));
  const priced = [...first].flatMap(([type, options]) => {
    const format = (formats as FormatTable)[type];
    return format ? [{ format, options }] : [];
  });
  pricedOfRequest.set(request, priced);
  return priced;
}

interface PricedFormat {
  readonly format: Format;
  readonly options: ScrapeJob["request"]["formats"][number];
}

/** By request object: a request that repeats is the same object, see `openPlanner`. */
const pricedOfRequest = new WeakMap<ScrapeJob["request"], readonly PricedFormat[]>();

/**
 * The most that the scrape can cost, as far as the request tells: the pages of a PDF are not known yet.
 * @param hasModel whether formats may be answered by a language model.
 */
export function highestPrice(job: ScrapeJob, threatScans: number, hasModel = false): number {
  const byModel = new Set<string>(hasModel ? job.plan.formats.map(({ name }) => name) : []);
  return priceOf(job, { cacheState: job.plan.lockdown ? "hit" : "miss", threatScans, byModel });
}

/** What a failed scrape costs nevertheless. */
export function priceOfFailure(failure: unknown, threatScans: number): number {
  return codedPrice(failure) + threatScans * credits.threatScan;
}

function codedPrice(failure: unknown): number {
  if (!(failure instanceof ServiceError)) return 0;
  return failure.code === "SCRAPE_DNS_RESOLUTION_ERROR" ? credits.dnsFailure : failure.creditsUsed;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
