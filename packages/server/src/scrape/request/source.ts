import type { Capture } from "../../fetch/capture.ts";

/** A file that the caller sent. Its answer contains its name, and no URL. */
interface UploadSource {
  readonly kind: "upload";
  readonly name: string;
  /** Content type sent with the upload. The detected type wins. */
  readonly contentType: string | undefined;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** Content that another service fetched from the URL of the request. */
interface GivenSource {
  readonly kind: "given";
  readonly contentType: string | undefined;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** Source of a page that comes neither from the cache nor from the web. */
export type Source = UploadSource | GivenSource | StoredSource;

/** The stored page of an earlier scrape of the team. */
export interface StoredSource {
  readonly kind: "stored";
  /** Undefined when it is not stored any more. */
  load(): Promise<{ readonly capture: Capture; readonly captureId: string | undefined } | undefined>;
}

/**
 * Stands for the URL of an uploaded file. It gives the name for detecting the file's kind, and is never
 * fetched.
 */
export function uploadUrl(name: string): string {
  return `upload:///${encodeURIComponent(name)}`;
}
