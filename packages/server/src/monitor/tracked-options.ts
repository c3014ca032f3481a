import { isJsonObject } from "@pergamon-dev/kit/json";

/** Compared parts of a page, and the scrape options that they need. */
export interface TrackedOptions {
  readonly scrape: Readonly<Record<string, unknown>>;
  /** True: compares the Markdown. */
  readonly text: boolean;
  /** True: compares the values of the `json` format. */
  readonly json: boolean;
}

interface SentFormat {
  readonly type: string;
  readonly modes?: readonly string[];
}

/**
 * Monitors compare pages themselves, so `changeTracking` only selects what is compared and is not passed to
 * scrapes. Pages are fetched anew unless a request says otherwise. @param sent valid scrapeOptions.
 */
export function trackedOptions(sent: object = {}): TrackedOptions {
  const { formats, ...rest } = sent as { readonly formats?: readonly unknown[] };
  const asked = (formats ?? ["markdown"]).map(formatOf);
  const tracking = asked.find(({ type }) => type === "changeTracking");
  const others = asked.filter(({ type }) => type !== "changeTracking");
  const has = (type: string) => others.some((format) => format.type === type);
  const byTracking = tracking?.modes?.includes("json") === true;
  const json = has("json") || byTracking;
  const text = tracking ? !json || tracking.modes?.includes("git-diff") === true : !json || has("markdown");
  const added = [
    ...(has("markdown") ? [] : [{ type: "markdown" }]),
    ...(byTracking && !has("json") ? [jsonOf(tracking)] : []),
  ];
  return { scrape: { maxAge: 0, ...rest, formats: [...others, ...added] }, text, json };
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
