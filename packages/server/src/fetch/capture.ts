import type { BrandEvidence } from "@pergamon-dev/facts/branding/evidence";
import type { DetectedFile } from "./file-kinds/detect.ts";
import type { ActionResults } from "./actions/action-results.ts";
import type { FileContent } from "../storage/blobs/file-content.ts";

/** What came back from a visit. Immutable; everything a page offers is computed from it. */
export interface Capture {
  /** This URL, like the other, without user name and password. */
  readonly requestedUrl: string;
  /** After redirects. */
  readonly url: string;
  readonly statusCode: number;
  /** Standard phrase of the status, such as `Not Found`. */
  readonly reason: string;
  /** Response headers by lower-case name; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content-type header as it came, with its parameters. */
  readonly contentType: string | undefined;
  /** The body after content decoding, as received otherwise. */
  readonly body: Uint8Array;
  /** What the body was found to be when it came. Not kept with it: later versions may know better. */
  readonly file?: DetectedFile;
  readonly engine: string;
  /** Where the first engine was not enough: its name, and what was missing, in words. */
  readonly climbed?: { readonly from: string; readonly because: string };
  /** Name of the file that it is, where it was sent instead of a URL. */
  readonly sourceFile?: string;
  /** `stealth` is the public name of the enhanced tier. */
  readonly proxyUsed: "basic" | "stealth";
  /** True when part of the page came over TLS with an unverified certificate. */
  readonly hasUnverifiedTls?: boolean;
  readonly capturedAtMs: number;
  /** IANA zone that the engine emulated, if it can. */
  readonly timezone?: string;
  /** Names of what was asked for and this engine could not do, such as `screenshot`. */
  readonly lacks?: readonly string[];
  /** What the actions of the visit left behind. */
  readonly actions?: ActionResults;
  /** How the page looked, when a format asks. */
  readonly brand?: BrandEvidence;
  /** The image that was asked for. */
  readonly screenshot?: FileContent;
  /** True when the page continues below that image. */
  readonly isScreenshotCut?: boolean;
}

/** Whether the server wants it to be kept as a file: browsers show nothing of it, and run none of its scripts. */
export function isAttachment({ headers }: Pick<Capture, "headers">): boolean {
  return /^\s*attachment\b/i.test(headers["content-disposition"] ?? "");
}
