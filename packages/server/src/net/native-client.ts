import { createRequire } from "node:module";
import type * as Wreq from "wreq-js";

export type NativeClient = typeof Wreq;

/** The client with a browser's fingerprint. Undefined where the package has no native code for this platform, or npm left it out. */
export const nativeClient: NativeClient | undefined = load();

/** What it costs that there is none. */
export const PLAIN_CLIENT =
  "Pages are fetched by a plain HTTP/1.1 client without the fingerprint of a browser: it is slower, and more sites refuse it.";

function load(): NativeClient | undefined {
  try {
    return createRequire(import.meta.url)("wreq-js") as NativeClient;
  } catch {
    return undefined;
  }
}
