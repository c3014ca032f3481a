import type { ScreenshotOrder } from "../platform/browser/tab/screenshot.ts";
import type { RequestedAction } from "./actions/requested-action.ts";

/** What an engine is told: one URL and how to appear there. Holds no decision about content. */
export interface Visit {
  readonly url: string;
  /** Whose profiles are meant. */
  readonly teamId: string;
  /** Headers the caller wants sent, names as they were written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Country and languages of the visitor. ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** The country that a proxy must be in; undefined when the caller named none. */
  readonly proxyCountry: string | undefined;
  /** Locale tags in order of preference; empty stands for those of the country. */
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  readonly proxy: "basic" | "enhanced" | "auto";
  readonly maxBodyBytes: number;
  /** Names of what is asked for and only a browser can do. Empty: plain HTTP may be enough. */
  readonly browserFeatures: readonly string[];
  /** How a browser treats the page, if it comes to one. */
  readonly browser: BrowserOrder;
  /** Rather a page whose scripts did not run than a browser's time. */
  readonly prefersHttp: boolean;
  /** What is asked before a document is fetched from anywhere else than `url`. */
  readonly hops?: HopJudge | undefined;
}

/** Judges where a visit is led: by redirects, refreshes, scripts and actions. */
export interface HopJudge {
  /** Already judged. */
  readonly startUrl: string;
  /** What it goes by: visits with the same rules are judged alike. */
  readonly rules: string;
  /** @throws ServiceError when nothing may be fetched from there. */
  judge(url: string, signal: AbortSignal): Promise<void>;
}

/** What a browser does with a page, besides opening it. Formats add to it (see `Format.browser`). */
export interface BrowserOrder {
  /** A page that is still not complete after this time is taken as it is. */
  readonly readyWithinMs: number;
  /** Extra time after the page is ready. */
  readonly waitForMs: number;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  /** Named storage that the browser starts with. */
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined;
  /** Steps on the page before it is captured. */
  readonly actions: readonly RequestedAction[];
  readonly screenshot?: ScreenshotOrder;
  /** Whether the look of the page is wanted: what `brand` of a capture tells. */
  readonly brand?: boolean;
}
