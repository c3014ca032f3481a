import { limits } from "../../api/limits.ts";
import { isHopByHop } from "../../net/request-headers.ts";
import type { PageOptions } from "../page/page.ts";
import type { CacheUse } from "../formats/format.ts";
import type { BrowserOrder, Visit } from "../../fetch/visit.ts";
import { type CacheRules, cacheRules } from "./cache-plan.ts";
import { type FormatName, formatNamed } from "./formats.ts";
import { type ReplayOptions, replayOptions } from "./replay-recipe.ts";
import type { ScrapeOptions, ScrapeRequest } from "./schema.ts";

/** Decisions that follow from the options of a request, for any address. */
export interface OptionsPlan {
  readonly visit: Omit<Visit, "teamId" | "url">;
  readonly cache: CacheRules;
  readonly page: PageOptions;
  /** The first format of each type, in the order of the request. */
  readonly formats: readonly PlannedFormat[];
  readonly timeoutMs: number;
  readonly lockdown: boolean;
  /** Sentences about what was left out of the request. */
  readonly warnings: readonly string[];
  /** Further sentences about the answer. */
  readonly notes: readonly string[];
  /** Whether the answer has results of actions, even empty ones. */
  readonly wantsActions: boolean;
  /** Whether the page is checked for prompt injection before a model may see it, for the answer or later. */
  readonly checksInjection: boolean;
  readonly refusesInjection: boolean;
  /** Whether the answer includes the links of the page. */
  readonly wantsOutline?: boolean;
  /** Page options and formats as JSON, from which the answer can be made again from a capture. */
  readonly recipe: string;
  readonly replay: ReplayOptions;
}

/** Data for making an answer from a capture. Records keep it as JSON. */
export interface Recipe {
  readonly page: PageOptions;
  readonly formats: readonly PlannedFormat[];
  /** Warnings of the request. The answer adds its own. */
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
  readonly wantsActions?: boolean;
  readonly checksInjection?: boolean;
  readonly wantsOutline?: boolean;
  /** Undefined when no part of the request needs a browser. */
  readonly visit?: Pick<Visit, "browserFeatures">;
}

export interface PlannedFormat {
  readonly name: FormatName;
  readonly options: ScrapeOptions["formats"][number];
}

/**
 * Turns options into the decisions that follow from them, once for all addresses with the same options. Pure.
 */
export function planOptions(request: ScrapeOptions, warnings: readonly string[] = []): OptionsPlan {
  const wanted = firstOfEachType(request.formats);
  const page = planPage(request, wanted);
  const visit = planVisit(request, wanted);
  const checksInjection = isInjectionChecked(request, wanted);
  const notes = notesOf(request, wanted);
  const wantsActions = request.actions.length > 0;
  const { browserFeatures } = visit;
  return {
    visit,
    cache: cacheRules(request, { ...cacheUses(wanted), place: placeOf(request), browser: visit.browser }),
    page,
    formats: wanted,
    timeoutMs: timeoutOf(request),
    lockdown: request.lockdown,
    warnings,
    notes,
    wantsActions,
    checksInjection,
    refusesInjection: request.checkPromptInjection,
    recipe: JSON.stringify({
      page,
      formats: wanted,
      ...(checksInjection && { checksInjection }),
      ...(warnings.length > 0 && { warnings }),
      ...(notes.length > 0 && { notes }),
      ...(wantsActions && { wantsActions }),
      ...(browserFeatures.length > 0 && { visit: { browserFeatures } }),
    } satisfies Recipe),
    replay: replayOptions(request),
  };
}

/** Notes about options with less effect than callers may expect. */
function notesOf(request: ScrapeOptions, wanted: readonly PlannedFormat[]): readonly string[] {
  const { headers, redactPII, checkPromptInjection } = request;
  const unsent = Object.keys(headers).filter(isHopByHop);
  const open = wanted.flatMap(({ name }) => (formatNamed(name).isRedacted ? [] : [name]));
  return [
    ...(unsent.length > 0
      ? [`These headers belong to a connection and are not sent: ${unsent.join(", ")}.`]
      : []),
    ...(redactPII !== false && open.length > 0
      ? [`redactPII reaches only the Markdown and what is made of it, not ${open.join(", ")} and metadata.`]
      : []),
    ...(checkPromptInjection && !isInjectionChecked(request, wanted) ? [NOT_CHECKED] : []),
  ];
}

const NOT_CHECKED =
  "The page was not checked for a prompt injection: checkPromptInjection checks what a language model is asked about, and no format of this request asks one.";

/** Time left for the scrape itself when only `waitFor` was given (contract, section 3.23). */
const WAIT_MARGIN_MS = 30_000;

function timeoutOf({ timeout, waitFor }: ScrapeOptions): number {
  return timeout ?? Math.max(limits.timeoutMs.default, waitFor + WAIT_MARGIN_MS);
}

function firstOfEachType(list: ScrapeOptions["formats"]): readonly PlannedFormat[] {
  const first = new Map<string, PlannedFormat>();
  for (const options of list) {
    if (!first.has(options.type)) first.set(options.type, { name: options.type, options });
  }
  return [...first.values()].filter(({ name }) => !first.has(formatNamed(name).givesWayTo ?? ""));
}

function planVisit(request: ScrapeOptions, wanted: readonly PlannedFormat[]): OptionsPlan["visit"] {
  return {
    headers: request.headers,
    ...placeOf(request),
    proxyCountry: request.location?.country,
    skipTlsVerification: request.skipTlsVerification,
    proxy: request.proxy,
    maxBodyBytes: limits.pageBytes,
    ...planBrowser(request, wanted),
    prefersHttp: request.fastMode,
    ...(wanted.some(({ name }) => formatNamed(name).takesBody === true) && { asReceived: true }),
  };
}

/** Longest wait for a page to become ready. A page that is not ready by then rarely becomes more complete. */
const READY_LIMIT_MS = 8000;

/** Plans the work that only a browser can do. */
function planBrowser(request: ScrapeOptions, wanted: readonly PlannedFormat[]) {
  const orders = wanted.flatMap(({ name, options }) => {
    const order = formatNamed(name).browser?.order?.(options);
    return order ? [{ name, order }] : [];
  });
  const asked = [...BROWSER_OPTIONS].filter(([, isAsked]) => isAsked(request)).map(([name]) => name);
  const waitForMs = waitForOf(request, wanted);
  const own: BrowserOrder = {
    readyWithinMs: Math.min(READY_LIMIT_MS, (timeoutOf(request) - waitForMs) / 2),
    waitForMs,
    mobile: request.mobile,
    blockAds: request.blockAds,
    profile: request.profile,
    actions: request.actions,
  };
  return {
    browserFeatures: [...asked, ...orders.map(({ name }) => name)],
    browser: Object.assign(own, ...orders.map(({ order }) => order)) as BrowserOrder,
  };
}

/** The formats' minimum wait takes at most half of the time. The caller's `waitFor` has the same limit. */
function waitForOf(request: ScrapeOptions, wanted: readonly PlannedFormat[]): number {
  const least = Math.max(0, ...wanted.map(({ name }) => formatNamed(name).browser?.leastWaitForMs ?? 0));
  return Math.max(request.waitFor, Math.min(least, timeoutOf(request) / 2));
}

/** Options that only a browser supports, under their names in warnings. */
const BROWSER_OPTIONS: ReadonlyMap<string, (request: ScrapeOptions) => boolean> = new Map([
  ["waitFor", ({ waitFor }: ScrapeOptions) => waitFor > 0],
  ["mobile", ({ mobile }: ScrapeOptions) => mobile],
  ["profile", ({ profile }: ScrapeOptions) => profile !== undefined],
  ["actions", ({ actions }: ScrapeOptions) => actions.length > 0],
]);

/** Visitors are in the United States by default (contract, section 1.5). */
function placeOf({ location }: ScrapeOptions) {
  return location ?? { country: "US", languages: [] };
}

function planPage(request: ScrapeOptions, wanted: readonly PlannedFormat[]): PageOptions {
  const acceptsAnyFile =
    wanted.length > 0 && wanted.every(({ name }) => formatNamed(name).acceptsAnyFile === true);
  return {
    onlyMainContent: request.onlyMainContent,
    includeTags: request.includeTags,
    excludeTags: request.excludeTags,
    removeBase64Images: request.removeBase64Images,
    ...(request.onlyCleanContent && { onlyCleanContent: true }),
    removesConsent: request.blockAds,
    // Formats that return the body unchanged do not need its contents parsed.
    parsers: acceptsAnyFile ? [] : request.parsers,
    languages: request.location?.languages ?? [],
    acceptsAnyFile,
    ...redactionOf(request),
  };
}

/** Omitted when nothing is redacted, so that recipes of other requests stay unchanged. */
function redactionOf({ redactPII }: ScrapeOptions): Pick<PageOptions, "redaction"> {
  if (redactPII === false) return {};
  return { redaction: redactPII === true ? { mode: "accurate", replaceStyle: "tag" } : redactPII };
}

function cacheUses(wanted: readonly PlannedFormat[]) {
  const formats = wanted.map(({ name, options }) => {
    const format = formatNamed(name);
    const use = format.cacheUse?.(options);
    return { use, isInCopies: use === undefined || format.isInCopy !== undefined };
  });
  return {
    uses: new Set<CacheUse | undefined>(formats.map(({ use }) => use)),
    isInCopies: formats.every(({ isInCopies }) => isInCopies),
  };
}

interface WantedFormat {
  readonly name: FormatName;
  readonly options: ScrapeRequest["formats"][number];
}

/**
 * Whether the page is checked for prompt injection. Without a model no check is needed (contract, section
 * 3.14).
 */
function isInjectionChecked(
  request: Pick<ScrapeRequest, "checkPromptInjection">,
  wanted: readonly WantedFormat[],
): boolean {
  const formats = wanted.map(({ name, options }) => ({ format: formatNamed(name), options }));
  const isAsked =
    request.checkPromptInjection ||
    formats.some(({ format, options }) => format.model?.checksInjection?.(options));
  return (
    isAsked && formats.some(({ format: { model }, options }) => model && (model.isAsked?.(options) ?? true))
  );
}
