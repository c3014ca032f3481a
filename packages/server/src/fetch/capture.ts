import type { BrandEvidence } from "@pergamon-dev/facts/branding/evidence";
import type { DetectedFile } from "./file-kinds/detect.ts";
import type { ActionResults } from "./actions/action-results.ts";
import type { Blocked } from "./fallback/blocked.ts";
import type { FileContent } from "../storage/blobs/file-content.ts";

/** Result of a visit. It is immutable, and everything about a page is computed from it. */
export interface Capture {
  /** Requested URL. Like `url`, it has no user name and password. */
  readonly requestedUrl: string;
  /** URL after redirects. */
  readonly url: string;
  readonly statusCode: number;
  /** Standard phrase of the status, such as `Not Found`. */
  readonly reason: string;
  /** Response headers by lower-case name. Repeated ones are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The received content-type header, with its parameters. */
  readonly contentType: string | undefined;
  /** The body after content decoding, otherwise as received. */
  readonly body: Uint8Array;
  /** Detected type of the body. It is not stored, because later versions may detect better. */
  readonly file?: DetectedFile;
  /** True: the site said that the known page is unchanged, and sent no body. */
  readonly isUnchanged?: true;
  /** Why this is not the page that was asked for. Such captures are stored only if their status says so. */
  readonly blocked?: Blocked;
  /** True when the URL led to a page that asks for a password. */
  readonly isLogin?: boolean;
  readonly engine: string;
  /** Set when the first engine was not enough: its name, and a phrase for what was missing. */
  readonly climbed?: { readonly from: string; readonly because: string };
  /** Name of the uploaded file, when the source is no URL. */
  readonly sourceFile?: string;
  /** `stealth` is the public name of the enhanced tier. */
  readonly proxyUsed: "basic" | "stealth";
  /** True when the caller named the enhanced tier, and this machine has no whole browser. */
  readonly lacksWholeBrowser?: boolean;
  /** True when part of the page came over TLS with an unverified certificate. */
  readonly hasUnverifiedTls?: boolean;
  readonly capturedAtMs: number;
  /** IANA time zone that the engine emulated, if it can. */
  readonly timezone?: string;
  /** Requested features that this engine does not support, such as `screenshot`. */
  readonly lacks?: readonly string[];
  /** Results of the visit's actions. */
  readonly actions?: ActionResults;
  /** Look of the page, when a format needs it. */
  readonly brand?: BrandEvidence;
  /** What linked style sheets say of what is seen (`HtmlTree`). */
  readonly linkedRules?: string;
  /** Requested screenshot. */
  readonly screenshot?: FileContent;
  /** True when the page continues below the screenshot. */
  readonly isScreenshotCut?: boolean;
}

/** Whether the server marks the body as a download. Browsers do not display it or run its scripts. */
export function isAttachment({ headers }: Pick<Capture, "headers">): boolean {
  return /^\s*attachment\b/i.test(headers["content-disposition"] ?? "");
}
