/** What an engine is told: one URL and how to appear there. Holds no decision about content. */
export interface Visit {
  readonly url: string;
  /** Headers the caller wants sent, names as they were written. */
  readonly headers: Readonly<Record<string, string>>;
  readonly acceptLanguage: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly skipTlsVerification: boolean;
  readonly proxy: "basic" | "enhanced" | "auto";
  readonly maxBodyBytes: number;
}
