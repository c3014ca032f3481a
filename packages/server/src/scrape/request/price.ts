import { credits } from "../../api/credits.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Format } from "../formats/format.ts";
import { formatNamed } from "./formats.ts";
import type { ScrapeJob } from "./job.ts";

/** What came to light during a scrape and makes a difference to its price. */
export interface Findings {
  /** Pages of a document that were read; undefined for everything else. */
  readonly documentPages?: number | undefined;
  /** URLs that a classifier judged. */
  readonly threatScans: number;
  /** Whether the page was checked for orders to models and passed. Undefined: as was asked for. */
  readonly isInjectionChecked?: boolean;
  /** The formats that a language model answered. */
  readonly byModel?: ReadonlySet<string>;
  /** Whether nothing that was asked for could be made. Undefined: as far as the request shows it. */
  readonly isForNothing?: boolean;
  /** Fields that the answer has; undefined as long as that is not known. */
  readonly answered?: readonly string[] | undefined;
}

interface Priced extends Findings {
  readonly job: ScrapeJob;
}

/** What is added for options, parsers and circumstances: one line each (contract, section 5.1). */
const surcharges: readonly { readonly name: string; readonly credits: (scrape: Priced) => number }[] = [
  {
    name: "PDF",
    credits: ({ documentPages = 1 }) => Math.max(0, documentPages - 1) * credits.furtherPdfPage,
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

/** Credits of a successful scrape. Formats that had to be left out of it cost nothing; lockdown costs what it always costs. */
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
  return Math.max(credits.base, ...bases) + sum(added) + sum(answered) + sum(extra);
}

/** Whether nothing can be given that was asked for: no more than what was found out on the way is paid for. */
function isForNothing({ request, plan }: ScrapeJob, findings: Findings): boolean {
  if (plan.formats.length > 0) return findings.isForNothing === true;
  return request.formats.length > 0 && !plan.wantsActions && !wantsPages(request);
}

/** Whether there is text that personal data is taken out of. */
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

/** What may come to light, at most. */
interface Bounds extends Pick<Findings, "threatScans" | "documentPages"> {
  /** Whether formats may be answered by a language model. */
  readonly hasModel?: boolean;
}

function isGiven({ price, answer }: Format, { answered }: Findings): boolean {
  if (!price?.isChargedWhenAnswered || !answered) return true;
  return Object.keys(answer).some((field) => answered.includes(field));
}

/** The most that the scrape can cost, as far as is known: pages of a document are counted on the way. */
export function highestPrice(job: ScrapeJob, { hasModel = false, ...findings }: Bounds): number {
  const byModel = new Set<string>(hasModel ? job.plan.formats.map(({ name }) => name) : []);
  return priceOf(job, { ...findings, byModel });
}

/** What a failed scrape costs nevertheless. */
export function priceOfFailure(failure: unknown, threatScans: number): number {
  const coded = failure instanceof ServiceError ? failure.creditsUsed : 0;
  return coded + threatScans * credits.threatScan;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
