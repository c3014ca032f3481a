/** A file that the caller sent. Its answer tells its name, and no URL. */
interface UploadSource {
  readonly kind: "upload";
  readonly name: string;
  /** As it was sent with it; what it is found to be counts more. */
  readonly contentType: string | undefined;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** What another service brought of the page at the URL of the request. */
interface GivenSource {
  readonly kind: "given";
  readonly contentType: string | undefined;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** Where the page of a scrape comes from, when neither from the cache nor from the web. */
export type Source = UploadSource | GivenSource;

/** What stands for the URL of a file that was sent: it tells the kind of a file by its name, and is never fetched. */
export function uploadUrl(name: string): string {
  return `upload:///${encodeURIComponent(name)}`;
}
