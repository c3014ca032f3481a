import type { ErrorCode } from "../../api/error-codes.ts";
import type { callerLabels } from "../../api/caller-labels.ts";
import type { ignoredOptions, scrapeRequest } from "../../api/request.ts";

/** How a page is fetched. In lockdown a stored copy replaces the visit. */
export const ways = ["http", "browser", "copy"] as const;
/** Kinds of files that are read, and files that must stay undecoded. */
export const matters = ["html", "feed", "text", "pdf", "image", "office", "undecoded"] as const;

export type Matter = (typeof matters)[number];
type Place = (typeof ways)[number] | Matter;

/** Outcome of an option or format that has no effect at a place. An entry has one member. */
export interface Verdict {
  /** Reason for ignoring it silently, because it has nothing to do. */
  readonly idle?: string;
  /** Reason for leaving it undone. The answer warns about it, and it costs nothing. */
  readonly undone?: string;
  readonly refused?: ErrorCode;
}

/** Places at which an option or format has no effect. It works at all others. */
export type Coverage = { readonly [Name in Place]?: Verdict };

export function at(places: readonly Place[], verdict: Verdict): Coverage {
  return Object.fromEntries(places.map((place) => [place, verdict]));
}

const NO_PAGES = ["feed", "text", "pdf", "image", "office", "undecoded"] as const;
export const UNSHOWN = ["pdf", "office", "undecoded"] as const;

export const NOT_DECODED = at(["undecoded"], { undone: "the file is not decoded" });
export const NOT_SHOWN = at(UNSHOWN, { undone: "no browser shows such files" });
const NO_ELEMENTS = at(["text", "pdf", "image", "office", "undecoded"], {
  undone: "only pages and feeds have elements to choose",
});
export const BROWSER_ALONE = at(["http"], { undone: "it takes a browser" });
export const NO_RETENTION = at(["copy"], { undone: "nothing of it may be kept" });
export const NOT_FETCHED = at(["copy"], { undone: "nothing is fetched" });
const NO_REQUEST = at(["copy"], { undone: "nothing is sent to the page" });
const AS_STORED = at(["copy"], { idle: "only copies that were made so answer" });
export const NO_MODEL = { ...NO_RETENTION, ...NOT_DECODED };

/** Options besides formats, by the names of their request fields. */
export const optionCoverage = {
  onlyMainContent: at(NO_PAGES, { idle: "all of it is content" }),
  onlyCleanContent: { ...NO_RETENTION, ...NOT_DECODED },
  includeTags: NO_ELEMENTS,
  excludeTags: NO_ELEMENTS,
  maxAge: {},
  minAge: {},
  storeInCache: at(["copy"], { idle: "it is stored already" }),
  lockdown: {},
  headers: NO_REQUEST,
  waitFor: { ...BROWSER_ALONE, ...AS_STORED, ...NOT_SHOWN },
  mobile: { ...BROWSER_ALONE, ...AS_STORED, ...NOT_SHOWN },
  skipTlsVerification: AS_STORED,
  timeout: {},
  parsers: at(["html", "feed", "text", "office"], {
    idle: "only PDF files and images have parsers to choose",
  }),
  actions: { ...at(["http"], { refused: "SCRAPE_ACTIONS_NOT_SUPPORTED" }), ...NO_REQUEST, ...NOT_SHOWN },
  location: AS_STORED,
  removeBase64Images: at(["text", "pdf", "image", "office", "undecoded"], { idle: "no images are embedded" }),
  blockAds: { ...AS_STORED, ...at(NO_PAGES, { idle: "it has no advertisements" }) },
  proxy: AS_STORED,
  redactPII: at(["undecoded"], { refused: "SCRAPE_UNSUPPORTED_FILE_ERROR" }),
  profile: { ...BROWSER_ALONE, ...NO_REQUEST, ...NOT_SHOWN },
  threatProtection: {},
  auditMetadata: {},
  zeroDataRetention: {},
  domainTools: at(["copy"], { refused: "THIRD_PARTY_DATA_TERMS_REQUIRED" }),
  toolDetail: {},
  fastMode: at(["copy"], { idle: "nothing is fetched" }),
  checkPromptInjection: {},
  safeMode: at(["copy"], { idle: "nothing is fetched" }),
} as const satisfies Record<CoveredOption, Coverage>;

type CoveredOption = Exclude<
  keyof ReturnType<typeof scrapeRequest>["shape"],
  "url" | "formats" | keyof typeof ignoredOptions | keyof typeof callerLabels
>;

/** A requested option or format that stays undone at a place, and why. */
export interface Undone {
  readonly name: string;
  readonly why: string;
}

/** The requested options that stay undone at that place. */
export function undoneOptions(options: object, place: Place): readonly Undone[] {
  const asked = new Map<string, unknown>(Object.entries(options));
  return Object.entries<Coverage>(optionCoverage).flatMap(([name, coverage]) =>
    isAsked(asked.get(name)) ? undoneOf(name, coverage, place) : [],
  );
}

/** Reasons why something stays undone at that place. Empty when it is done. */
export function undoneOf(name: string, coverage: Coverage | undefined, place: Place): readonly Undone[] {
  const why = coverage?.[place]?.undone;
  return why === undefined ? [] : [{ name, why }];
}

/** Joins them to one sentence: `opening: a, b (why); c (why).` */
export function undoneSentence(opening: string, undone: readonly Undone[]): string {
  const reasons = [...new Set(undone.map(({ why }) => why))];
  const parts = reasons.map((reason) => {
    const names = undone.filter(({ why }) => why === reason).map(({ name }) => name);
    return `${names.join(", ")} (${reason})`;
  });
  return `${opening}: ${parts.join("; ")}.`;
}

/** Whether a value asks for anything. */
function isAsked(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}
