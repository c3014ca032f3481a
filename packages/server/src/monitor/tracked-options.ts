import { isJsonObject } from "@pergamon-dev/kit/json";
import type { IgnoredText } from "../scrape/diff/ignored-text.ts";

/** Compared parts of a page, and the scrape options that they need. */
export interface TrackedOptions {
  readonly scrape: Readonly<Record<string, unknown>>;
  /** True: compares the Markdown. */
  readonly text: boolean;
  /** True: compares the values of the `json` format, or of a product. */
  readonly json: boolean;
  readonly isProduct: boolean;
  readonly ignored?: IgnoredText | undefined;
}

/** What a target says beside its scrape options. */
export interface TargetRules {
  /** Default: page. */
  readonly kind?: "page" | "product" | "value" | undefined;
  /** Of `value`. */
  readonly schema?: object | undefined;
  readonly ignore?: (IgnoredText & { readonly selectors?: readonly string[] | undefined }) | undefined;
}

interface SentOptions {
  readonly formats?: readonly unknown[];
  readonly excludeTags?: readonly string[];
}

interface SentFormat {
  readonly type: string;
  readonly modes?: readonly string[];
  readonly schema?: object;
}

/**
 * Monitors compare pages themselves, so `changeTracking` only selects what is compared and is not passed to
 * scrapes. Pages are fetched anew unless a request says otherwise. @param sent valid scrapeOptions.
 */
export function trackedOptions(sent: object = {}, rules: TargetRules = {}): TrackedOptions {
  const { formats = ["markdown"], excludeTags = [], ...rest } = sent as SentOptions;
  const { kind = "page", schema, ignore } = rules;
  const isProduct = kind === "product";
  const wanted: readonly SentFormat[] = isProduct
    ? [{ type: "product" }]
    : kind === "value"
      ? [{ type: "json", ...(schema && { schema }) }]
      : [];
  const asked = [...formats.map(formatOf).filter(({ type }) => type !== wanted[0]?.type), ...wanted];
  const tracking = asked.find(({ type }) => type === "changeTracking");
  const others = asked.filter(({ type }) => type !== "changeTracking");
  const has = (type: string) => others.some((format) => format.type === type);
  const byTracking = tracking?.modes?.includes("json") === true;
  const json = has("json") || byTracking || isProduct;
  const isByText = tracking
    ? !json || tracking.modes?.includes("git-diff") === true
    : !json || has("markdown");
  const added = [
    ...(has("markdown") ? [] : [{ type: "markdown" }]),
    ...(byTracking && !has("json") ? [jsonOf(tracking)] : []),
  ];
  const left = [...excludeTags, ...(ignore?.selectors ?? [])];
  const scrape = { maxAge: 0, ...rest, formats: [...others, ...added] };
  return {
    scrape: left.length > 0 ? { ...scrape, excludeTags: left } : scrape,
    text: kind === "page" && isByText,
    json,
    isProduct,
    ignored: ignore,
  };
}

/** Options as sent, with the Markdown that comparisons need. */
export function withMarkdown(sent: unknown): unknown {
  const { formats } = (isJsonObject(sent) ? sent : {}) as { readonly formats?: unknown };
  if (!Array.isArray(formats)) return sent;
  const types = new Set(formats.map((format) => formatOf(format).type));
  if (!types.has("changeTracking") || types.has("markdown")) return sent;
  return { ...(sent as object), formats: [...(formats as unknown[]), "markdown"] };
}

function formatOf(format: unknown): SentFormat {
  if (isJsonObject(format) && typeof format["type"] === "string") return format as unknown as SentFormat;
  return { type: String(format) };
}

function jsonOf(tracking: SentFormat | undefined): object {
  const { schema, prompt } = (tracking ?? {}) as { readonly schema?: object; readonly prompt?: string };
  return { type: "json", ...(schema && { schema }), ...(prompt !== undefined && { prompt }) };
}
