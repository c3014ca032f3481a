import type { RequestEntry } from "../../src/contract/operator/requests.ts";
import { plainly } from "../format/foreign.ts";
import { Badge } from "./badge.tsx";

/** How a request ended: its code, or the status of the page. */
export function ResultBadge({ request }: { readonly request: RequestEntry }) {
  const { status, statusCode, errorCode } = request;
  if (status === "failed") {
    const code = errorCode ?? "failed";
    return (
      <Badge tone="bad" title={code}>
        {code.replace(/^SCRAPE_/, "")}
      </Badge>
    );
  }
  if (statusCode === null) return <Badge tone="ok">done</Badge>;
  return <Badge tone={statusCode < 400 ? "ok" : "warn"}>{statusCode}</Badge>;
}

/** An address without what every address has. */
export function shortUrl(url: string): string {
  return plainly(url.replace(/^https?:\/\//, ""));
}
