import { isJsonObject } from "@pergamon-dev/kit/json";

/** What of a page is compared, and how it is scraped for that. */
export interface TrackedOptions {
  /** Options of a scrape. */
  readonly scrape: Readonly<Record<string, unknown>>;
  /** Whether the Markdown is compared. */
  readonly text: boolean;
  /** Whether the values of the `json` format are compared. */
  readonly json: boolean;
}

interface SentFormat {
  readonly type: string;
  readonly modes?: readonly string[];
}

/**
 * Monitors compare on their own: `changeTracking` says what is compared, and is not asked of scrapes. Fresh pages, unless
 * a request says otherwise. @param sent scrapeOptions that were checked.
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

/** Options as they were sent, with the Markdown that comparing versions needs. */
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
