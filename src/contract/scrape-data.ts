/** `metadata` of a scrape: what the page says about itself, then what the service knows (contract, section 2.3). */
export interface ScrapeMetadata {
  /** Any key the page's head carries. */
  readonly [key: string]: string | readonly string[] | number | boolean | undefined;
  /** The requested URL with a scheme, otherwise as it was sent. */
  readonly sourceURL: string;
  /** The final URL, after redirects. */
  readonly url: string;
  readonly statusCode: number;
  /** Reason phrase of a target status outside 2xx; absent on success. */
  readonly error?: string;
  /** MIME type without parameters. */
  readonly contentType?: string;
  /** UUID version 7. */
  readonly scrapeId: string;
  /** `stealth` is the public name of the enhanced tier. */
  readonly proxyUsed: "basic" | "stealth";
  /** Present only when the cache was consulted. */
  readonly cacheState?: "hit" | "miss";
  /** ISO 8601 in UTC; on a hit only. */
  readonly cachedAt?: string;
  readonly creditsUsed: number;
  /** IANA zone that the browser engine emulated. */
  readonly timezone?: string;
  readonly concurrencyLimited: boolean;
  /** Present only when concurrencyLimited is true. */
  readonly concurrencyQueueDurationMs?: number;
}

/** Values of one attribute on all elements that match a selector, in document order. */
export interface AttributeValues {
  readonly selector: string;
  readonly attribute: string;
  readonly values: readonly string[];
}

/** What the actions of a scrape left behind, each kind in the order of its actions. */
export interface ActionData {
  /** URLs of images, which end after 24 hours. */
  readonly screenshots: readonly string[];
  readonly scrapes: readonly { readonly url: string; readonly html: string }[];
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[];
  /** URLs, which end after 24 hours. */
  readonly pdfs: readonly string[];
}

/** `data` of a scrape. A field is present only when it was asked for and could be had (contract, section 2.2). */
export interface ScrapeData {
  readonly markdown?: string;
  readonly html?: string;
  readonly rawHtml?: string;
  /** Bare base64 of the body, without a `data:` prefix. */
  readonly rawBase64?: string;
  readonly links?: readonly string[];
  readonly images?: readonly string[];
  readonly attributes?: readonly AttributeValues[];
  /** URL of an image, which ends after 24 hours. */
  readonly screenshot?: string;
  /** Present when some action left something behind. */
  readonly actions?: ActionData;
  readonly metadata: ScrapeMetadata;
  /** Newest first, joined by one space. */
  readonly warning?: string;
}
