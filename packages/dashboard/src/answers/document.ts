import type { DocumentPageBlocks } from "@pergamon-dev/server/api/document-blocks";

/** An answer's document: a member per format, and what is known of the page. */
export interface ScrapedDocument {
  readonly markdown?: string;
  readonly html?: string;
  readonly rawHtml?: string;
  readonly screenshot?: string | null;
  readonly links?: readonly string[];
  readonly images?: readonly string[];
  readonly json?: unknown;
  readonly summary?: string;
  readonly blocks?: readonly DocumentPageBlocks[];
  readonly warning?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [format: string]: unknown;
}

/** The id under which the log has the scrape. */
export function scrapeIdOf({ metadata }: ScrapedDocument): string | undefined {
  const id = metadata?.["scrapeId"];
  return typeof id === "string" ? id : undefined;
}

/** What is missing in the answer, and why. Answers kept by earlier versions have it as one text. */
export function warningsOf({ warning, metadata }: ScrapedDocument): readonly string[] {
  const sentences = metadata?.["warnings"];
  if (Array.isArray(sentences)) return sentences.filter((sentence) => typeof sentence === "string");
  return warning === undefined ? [] : [warning];
}

/**
 * The path of a file that the service serves. Only those are shown: nothing is ever fetched from elsewhere, whichever
 * host name the service gives its links.
 */
export function ownFile(url: string): string | undefined {
  try {
    const { pathname, search } = new URL(url, location.origin);
    return /^\/(?:files|v2|admin)\//.test(pathname) ? pathname + search : undefined;
  } catch {
    return undefined;
  }
}
