import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { plainly } from "../format/foreign.ts";
import { Badge } from "./badge.tsx";

/** How a request ended: its code, or the status of the page. */
export function ResultBadge({ request }: { readonly request: RequestEntry }) {
  const { kind, status, statusCode, errorCode } = request;
  if (kind === "refused") {
    return (
      <Badge tone="warn" title="Refused before any work began">
        {`refused: ${inWords(errorCode ?? "")}`}
      </Badge>
    );
  }
  if (status === "failed") {
    const code = errorCode ?? "failed";
    return (
      <Badge tone="bad" title={code}>
        {inWords(code)}
      </Badge>
    );
  }
  if (request.isPartial) {
    return (
      <Badge tone="warn" title="Something that was asked for is missing">
        {statusCode === null ? "partial" : `${statusCode} partial`}
      </Badge>
    );
  }
  if (statusCode === null) return <Badge tone="ok">done</Badge>;
  return <Badge tone={statusCode < 400 ? "ok" : "warn"}>{statusCode}</Badge>;
}

/** `SCRAPE_DNS_RESOLUTION_ERROR` → `dns resolution error`. */
export function inWords(code: string): string {
  return code
    .replace(/^SCRAPE_/, "")
    .replaceAll("_", " ")
    .toLowerCase();
}

/** An address without what every address has. */
export function shortUrl(url: string): string {
  return plainly(url.replace(/^https?:\/\//, ""));
}
