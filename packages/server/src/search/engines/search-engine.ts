/** What is looked for with an engine. Queries hold what every engine knows: words, quotes and operators. */
export interface EngineQuery {
  readonly kind: SearchKind;
  readonly words: string;
  /** How many results are wanted, 1 to 100. */
  readonly limit: number;
  /** Host names; at most one of both lists has any. */
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  /** Operators of which one has to hold: `site:github.com`, `filetype:pdf`. Empty: none. */
  readonly anyOf: readonly string[];
  readonly period: Period | undefined;
  /** ISO 639-1, in lower case. */
  readonly language: string | undefined;
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country: string | undefined;
  /** In words, such as `Berlin, Germany`. */
  readonly location: string | undefined;
  /** Undefined: as the engine likes. */
  readonly safe: boolean | undefined;
  readonly sortsByDate: boolean;
}

export type SearchKind = "web" | "news" | "images";

/** When pages were published: since an hour, a day … ago, or between two days, both included, as `2026-05-31`. */
export type Period =
  | { readonly since: "hour" | "day" | "week" | "month" | "year" }
  | { readonly from: string; readonly to: string };

/** A result, of any kind. What an engine does not say is undefined. */
export interface EngineResult {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly date?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly imageWidth?: number | undefined;
  readonly imageHeight?: number | undefined;
}

/** Options of a query that an engine does not know, by their names in the interface. */
export type EngineOption = "country" | "lang" | "location" | "safe" | "tbs" | "sources" | "categories";

/** A search engine, with one of its accounts. */
export interface SearchEngine {
  /** For people: `brave`. */
  readonly name: string;
  /** What of the query it cannot do. */
  lacks(query: EngineQuery): readonly EngineOption[];
  /**
   * Best first, at most as many as are wanted.
   * @throws SearchEngineError when it does not answer as it should; the signal's reason once that is aborted.
   */
  search(query: EngineQuery, signal: AbortSignal): Promise<readonly EngineResult[]>;
}

/** Why an engine gave nothing. The message never holds a key. */
export class SearchEngineError extends Error {
  override readonly name = "SearchEngineError";
}
