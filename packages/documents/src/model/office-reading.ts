import type { PageProperties } from "./html.ts";

/** A document to read. */
export interface OfficeFile {
  readonly body: Uint8Array;
  /** As it was recognised, without parameters. */
  readonly mimeType: string;
  /** Where it is; relative addresses count from there. */
  readonly url: string;
}

/** What came of reading a document: it, or why it cannot be read. Plain data, which processes can exchange. */
export type OfficeReading =
  | { readonly document: OfficeDocument; readonly problem?: undefined }
  | { readonly document?: undefined; readonly problem: OfficeProblem };

export interface OfficeDocument {
  readonly markdown: string;
  readonly html: string;
  readonly properties: PageProperties;
}

/**
 * Why a document cannot be read: a password is needed; it is damaged, or no such file; nothing reads this sort of file;
 * it is larger, once unpacked, than is read.
 */
export type OfficeProblem = "encrypted" | "damaged" | "unsupported" | "too-large";
