/** State of a loading page. Times are milliseconds of one monotonic clock. */
export interface PageState {
  readonly navigatedAtMs: number;
  /** Undefined until the page was measured for the first time. */
  readonly report: PageReport | undefined;
  readonly isParsed: boolean;
  readonly isLoaded: boolean;
  readonly statusCode: number;
  /** Pending requests that may bring content. */
  readonly requests: readonly OpenRequest[];
  /** Whether scripts have sent any request. */
  readonly hasAsked: boolean;
  /** Whether workers may be active, whose requests are invisible here. */
  readonly hasWorkers: boolean;
  /** Last noticeable change of the text or structure. */
  readonly changedAtMs: number;
  /** Last start or end of a request with content. */
  readonly networkAtMs: number;
  /** Whether scripts have produced a good part of the text. */
  readonly isRendered: boolean;
  /** Time at which the page announced that it leaves for another; undefined when it stays. */
  readonly leavesAtMs: number | undefined;
}

export interface OpenRequest {
  readonly startedAtMs: number;
  /** Undefined until the response headers arrived. */
  readonly answeredAtMs: number | undefined;
}

/** State of the page as the probe inside it measured. */
export interface PageReport {
  /** Characters of text outside navigation, header and footer. */
  readonly mainText: number;
  readonly otherText: number;
  readonly elements: number;
  /** Visible skeletons, spinners and the like. */
  readonly loadingMarkers: number;
  readonly scripts: number;
  /** Pixels. */
  readonly height: number;
}

type Judgement = { readonly readyBecause: string } | { readonly againInMs: number };

/** Characters. Shorter pages may be shells that are still empty. */
const CONTENTFUL_CHARACTERS = 250;
/**
 * Required milliseconds without activity, by the apparent kind of page. Measured on 26 kinds of pages: none
 * was taken too early, the median page 0.3 s after its last content came.
 */
const QUIET_MS = {
  /** The text came with the document, and no script sent a request. */
  served: 20,
  /** The text came with the document, and scripts sent a request. */
  enriched: 100,
  rendered: 250,
  /** After the last answer to a rendering script. */
  answered: 100,
  /** Only long requests are pending: polls and streams. */
  longRequests: 400,
  thin: 1000,
  loadingMarker: 2500,
};
/** Requests that take longer do not delay readiness. */
const LONG_REQUEST_MS = 800;
/** An answer whose body takes longer is a stream. */
const STREAM_MS = 250;
/**
 * A document that never finishes loading, because of one image, is judged without its load event after this
 * time.
 */
const HUNG_LOAD_MS = 400;
const LEAVING_LIMIT_MS = 3000;
const MAX_WAIT_MS = 1000;

/** Decides whether the page may be captured, or when to check again at the latest. Pure. */
export function judgeReadiness(page: PageState, nowMs: number): Judgement {
  const { report } = page;
  if (!report || !page.isParsed || isLeaving(page, nowMs)) return { againInMs: MAX_WAIT_MS };
  const rule = applicableRule(page, report, nowMs);
  if (rule && nowMs >= rule.atMs) return { readyBecause: rule.name };
  const moments = [rule?.atMs, ...nextMoments(page, nowMs)].filter((moment) => moment !== undefined);
  const againInMs = Math.min(MAX_WAIT_MS, ...moments.map((moment) => moment - nowMs));
  return { againInMs: Math.max(againInMs, 1) };
}

interface Rule {
  readonly name: string;
  /** Time at which the page is ready if nothing happens before. */
  readonly atMs: number;
}

function applicableRule(page: PageState, report: PageReport, nowMs: number): Rule | undefined {
  const quietFromMs = Math.max(page.changedAtMs, page.navigatedAtMs);
  const allQuietFromMs = Math.max(quietFromMs, page.networkAtMs);
  const { fresh, long } = countOpen(page.requests, nowMs);
  if (report.scripts === 0 && page.isLoaded && fresh === 0) return { name: "no-scripts", atMs: quietFromMs };
  if (isContentful(page, report)) {
    if (!page.isLoaded && nowMs - quietFromMs < HUNG_LOAD_MS) return undefined;
    if (fresh > 0) return { name: "chatty", atMs: quietFromMs + LONG_REQUEST_MS + QUIET_MS.longRequests };
    if (long > 0) return { name: "long-requests", atMs: quietFromMs + QUIET_MS.longRequests };
    return quietRule(page, quietFromMs);
  }
  if (fresh + long > 0) return undefined;
  if (report.loadingMarkers > 0 || page.hasWorkers)
    return { name: "loading-marker", atMs: allQuietFromMs + QUIET_MS.loadingMarker };
  return page.isLoaded ? { name: "thin", atMs: allQuietFromMs + QUIET_MS.thin } : undefined;
}

function quietRule(page: PageState, quietFromMs: number): Rule {
  if (!page.isRendered) {
    const quietMs = page.hasAsked ? QUIET_MS.enriched : QUIET_MS.served;
    return { name: "served", atMs: quietFromMs + quietMs };
  }
  const atMs = Math.max(quietFromMs + QUIET_MS.rendered, page.networkAtMs + QUIET_MS.answered);
  return { name: "rendered", atMs };
}

/** Error pages are often interstitials. Those that mean "not here" are what they seem. */
function isContentful({ statusCode }: PageState, { mainText, loadingMarkers }: PageReport): boolean {
  const isError = statusCode >= 400 && statusCode !== 404 && statusCode !== 410;
  return mainText >= CONTENTFUL_CHARACTERS && loadingMarkers === 0 && !isError;
}

function isLeaving({ leavesAtMs }: PageState, nowMs: number): boolean {
  return leavesAtMs !== undefined && nowMs - leavesAtMs < LEAVING_LIMIT_MS;
}

function countOpen(requests: readonly OpenRequest[], nowMs: number): { fresh: number; long: number } {
  const open = requests.filter(
    ({ answeredAtMs }) => answeredAtMs === undefined || nowMs - answeredAtMs < STREAM_MS,
  );
  const fresh = open.filter(({ startedAtMs }) => nowMs - startedAtMs < LONG_REQUEST_MS).length;
  return { fresh, long: open.length - fresh };
}

/**
 * Times at which something changes by time alone: a request becomes long, an answer a stream, a load hung.
 */
function nextMoments({ requests, changedAtMs, navigatedAtMs }: PageState, nowMs: number): readonly number[] {
  const ofRequests = requests.flatMap(({ startedAtMs, answeredAtMs }) => [
    startedAtMs + LONG_REQUEST_MS,
    ...(answeredAtMs === undefined ? [] : [answeredAtMs + STREAM_MS]),
  ]);
  const hung = Math.max(changedAtMs, navigatedAtMs) + HUNG_LOAD_MS;
  return [...ofRequests, hung].filter((moment) => moment > nowMs);
}
