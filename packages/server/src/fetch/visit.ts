import type { ScreenshotOrder } from "@pergamon-dev/browser/tab/screenshot";
import type { RequestedAction } from "./actions/requested-action.ts";
import type { KnownPage } from "./known-page.ts";

/** Tells an engine which URL to request, and how. Contains no decision about content. */
export interface Visit {
  readonly url: string;
  /** Team that owns the profiles. */
  readonly teamId: string;
  /** Headers to send for the caller, with names as written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Country and languages of the visitor. ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** Required country of a proxy. Undefined when the caller named none. */
  readonly proxyCountry: string | undefined;
  /** Locale tags in order of preference. Empty means those of the country. */
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  readonly proxy: "basic" | "enhanced" | "auto";
  readonly maxBodyBytes: number;
  /** Requested features that only a browser has. Empty: plain HTTP may be sufficient. */
  readonly browserFeatures: readonly string[];
  /** How a browser treats the page, if one is used. */
  readonly browser: BrowserOrder;
  /** Whether to prefer a page without executed scripts over a browser visit. */
  readonly prefersHttp: boolean;
  /** Whether the body is wanted as servers send it, not the browser's result. */
  readonly asReceived?: boolean;
  /** True: a page of a job. Its host is left alone by all engines and tiers for as long as it asks. */
  readonly isOfJob?: boolean;
  /** What is known of the page, so that its site may answer that it is unchanged. */
  readonly known?: KnownPage;
  /** Judges URLs other than `url` before a document is fetched from them. */
  readonly hops?: HopJudge | undefined;
}

/** Judges the URLs to which redirects, refreshes, scripts and actions lead a visit. */
export interface HopJudge {
  /** The start URL, which has already been judged. */
  readonly startUrl: string;
  /** Key of the rules. Visits with the same key get the same verdicts. */
  readonly rules: string;
  /** @throws ServiceError when the URL must not be fetched. */
  judge(url: string, signal: AbortSignal): Promise<void>;
}

/** Work of a browser on a page after opening it. Formats add to it (see `Format.browser`). */
export interface BrowserOrder {
  /** A page that is still not complete after this time is captured as it is. */
  readonly readyWithinMs: number;
  /** Extra time after the page is ready. */
  readonly waitForMs: number;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  /** Named storage that the browser starts with. */
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined;
  /** Steps on the page before the capture. */
  readonly actions: readonly RequestedAction[];
  readonly screenshot?: ScreenshotOrder;
  /** Whether to measure the look of the page for `brand` of the capture. */
  readonly brand?: boolean;
}
