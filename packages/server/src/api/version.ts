import { readFileSync } from "node:fs";

/** NOTE: the build puts this file one folder below the package's, the sources two. */
const MANIFEST = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../package.json" : "../package.json",
  import.meta.url,
);

export function readVersion(): string {
  return (JSON.parse(readFileSync(MANIFEST, "utf8")) as { readonly version: string }).version;
}
