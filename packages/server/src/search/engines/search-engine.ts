/** A query for an engine. Its words contain only what every engine supports: words, quotes and operators. */
export interface EngineQuery {
  readonly kind: SearchKind;
  readonly words: string;
  /** Number of wanted results, 1 to 100. */
  readonly limit: number;
  /** Host names. Only one of both lists may have any. */
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  /** Operators of which at least one must match: `site:github.com`, `filetype:pdf`. Empty: none. */
  readonly anyOf: readonly string[];
  readonly period: Period | undefined;
  /** ISO 639-1, in lower case. */
  readonly language: string | undefined;
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country: string | undefined;
  /** A place in words, such as `Berlin, Germany`. */
  readonly location: string | undefined;
  /** Undefined: the engine's default. */
  readonly safe: boolean | undefined;
  readonly sortsByDate: boolean;
}

export type SearchKind = "web" | "news" | "images";

/**
 * Publication time of pages: within the last hour, day and so on, or between two days such as `2026-05-31`,
 * both included.
 */
export type Period =
  | { readonly since: "hour" | "day" | "week" | "month" | "year" }
  | { readonly from: string; readonly to: string };

/** A result of any kind. Fields that an engine does not return are undefined. */
export interface EngineResult {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly date?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly imageWidth?: number | undefined;
  readonly imageHeight?: number | undefined;
}

/** Options of a query that an engine does not support, by their names in the interface. */
export type EngineOption = "country" | "lang" | "location" | "safe" | "tbs" | "sources" | "categories";

/** A search engine, with one of its accounts. */
export interface SearchEngine {
  /** Name for people, such as `brave`. */
  readonly name: string;
  /** Options of the query that the engine does not support. */
  lacks(query: EngineQuery): readonly EngineOption[];
  /**
   * Returns at most the wanted number of results, the best first.
   * @throws SearchEngineError when it does not answer as it should; the signal's reason once that is aborted.
   */
  search(query: EngineQuery, signal: AbortSignal): Promise<readonly EngineResult[]>;
}

/** Thrown when an engine fails. The message never holds a key. */
export class SearchEngineError extends Error {
  override readonly name = "SearchEngineError";
}
