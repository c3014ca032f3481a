import { credits } from "../../api/credits.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Format } from "../formats/format.ts";
import { formatNamed } from "./formats.ts";
import type { ScrapeJob } from "./job.ts";

/** Results of a scrape that affect its price. */
export interface Findings {
  /** Pages of a document that were read. Undefined for other files. */
  readonly documentPages?: number | undefined;
  /** Number of URLs that a classifier judged. */
  readonly threatScans: number;
  /** Whether the page passed the prompt injection check. Undefined: as requested. */
  readonly isInjectionChecked?: boolean;
  /** Formats that a language model answered. */
  readonly byModel?: ReadonlySet<string>;
  /** Whether nothing of the request could be made. Undefined: as far as the request shows. */
  readonly isForNothing?: boolean;
  /** Fields of the answer. Undefined as long as they are not known. */
  readonly answered?: readonly string[] | undefined;
}

interface Priced extends Findings {
  readonly job: ScrapeJob;
}

/** Surcharges for options, parsers and circumstances, one line each (contract, section 5.1). */
const surcharges: readonly { readonly name: string; readonly credits: (scrape: Priced) => number }[] = [
  {
    name: "PDF",
    credits: ({ job, documentPages = 1 }) =>
      isStored(job) ? 0 : Math.max(0, documentPages - 1) * credits.furtherPdfPage,
  },
  {
    name: "redactPII",
    credits: ({ job, documentPages = 1, answered }) =>
      job.request.redactPII !== false && hasRedacted(job, answered)
        ? Math.max(1, documentPages) * credits.redactedPage
        : 0,
  },
  { name: "threatProtection", credits: ({ threatScans }) => threatScans * credits.threatScan },
  {
    name: "zeroDataRetention",
    credits: ({ job }) => (job.retention === "none" ? credits.zeroDataRetention : 0),
  },
  {
    name: "checkPromptInjection",
    credits: ({ job, isInjectionChecked = job.plan.checksInjection }) =>
      isInjectionChecked ? credits.promptInjectionCheck : 0,
  },
];

/**
 * Credits of a successful scrape. Formats that had to be left out cost nothing. Lockdown has a fixed price.
 */
export function priceOf(job: ScrapeJob, findings: Findings): number {
  if (job.plan.lockdown) return credits.lockdownHit;
  if (isForNothing(job, findings)) return findings.threatScans * credits.threatScan;
  const wanted = job.plan.formats.map(({ name, options }) => ({ format: formatNamed(name), options }));
  const added = wanted.map(({ format }) => (isGiven(format, findings) ? (format.price?.credits ?? 0) : 0));
  const scrape: Priced = { job, ...findings };
  const byModel = wanted.filter(({ options }) => findings.byModel?.has(options.type));
  const bases = byModel.map(({ format, options }) => format.model?.baseCredits?.(options) ?? credits.base);
  const answered = byModel.map(({ format }) => format.model?.credits ?? 0);
  const extra = surcharges.map((surcharge) => surcharge.credits(scrape));
  // A stored page was paid when it was fetched.
  const paid = isStored(job) ? credits.base : 0;
  return Math.max(credits.base, ...bases) - paid + sum(added) + sum(answered) + sum(extra);
}

function isStored({ source }: ScrapeJob): boolean {
  return source?.kind === "stored";
}

/** Whether nothing of the request can be made. The scrape then costs only its threat scans. */
function isForNothing({ request, plan }: ScrapeJob, findings: Findings): boolean {
  if (plan.formats.length > 0) return findings.isForNothing === true;
  return request.formats.length > 0 && !plan.wantsActions && !wantsPages(request);
}

/** Whether the answer has text that redaction applies to. */
function hasRedacted({ request, plan }: ScrapeJob, answered: Findings["answered"]): boolean {
  if (wantsPages(request)) return true;
  const formats = plan.formats.map(({ name }) => formatNamed(name)).filter(({ isRedacted }) => isRedacted);
  return formats.some(({ answer }) =>
    Object.keys(answer).some((field) => answered === undefined || answered.includes(field)),
  );
}

function wantsPages({ parsers }: ScrapeJob["request"]): boolean {
  return parsers.some(
    (parser) => parser.type === "pdf" && (parser.pages ?? parser.pageMarkdown ?? parser.blocks),
  );
}

/** Upper limits of the findings. */
interface Bounds extends Pick<Findings, "threatScans" | "documentPages"> {
  /** Whether language models may answer formats. */
  readonly hasModel?: boolean;
}

function isGiven({ price, answer }: Format, { answered }: Findings): boolean {
  if (!price?.isChargedWhenAnswered || !answered) return true;
  return Object.keys(answer).some((field) => answered.includes(field));
}

/** Upper limit of the price, as far as it is known. Document pages are counted later. */
export function highestPrice(job: ScrapeJob, { hasModel = false, ...findings }: Bounds): number {
  const byModel = new Set<string>(hasModel ? job.plan.formats.map(({ name }) => name) : []);
  return priceOf(job, { ...findings, byModel });
}

/** Credits of a failed scrape. */
export function priceOfFailure(failure: unknown, threatScans: number): number {
  const coded = failure instanceof ServiceError ? failure.creditsUsed : 0;
  return coded + threatScans * credits.threatScan;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
