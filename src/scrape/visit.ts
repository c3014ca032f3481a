/** What an engine is told: one URL and how to appear there. Holds no decision about content. */
export interface Visit {
  readonly url: string;
  /** Headers the caller wants sent, names as they were written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the visitor appears to be. ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** The country that a proxy must be in; undefined when the caller named none. */
  readonly proxyCountry: string | undefined;
  /** Locale tags in order of preference; empty stands for those of the country. */
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  readonly proxy: "basic" | "enhanced" | "auto";
  readonly maxBodyBytes: number;
}
