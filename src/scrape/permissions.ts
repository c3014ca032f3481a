import type { Caller } from "../accounts/callers.ts";
import { ForbiddenError } from "../contract/errors.ts";
import type { ScrapeRequest } from "./request.ts";

/** Actions that give something back, which keys can be restricted from like formats. */
const OUTPUT_ACTIONS: ReadonlySet<string> = new Set(["screenshot", "scrape", "executeJavascript", "pdf"]);

/** @throws ForbiddenError when the caller may not ask for this (contract, section 4.1). */
export function checkPermissions(request: ScrapeRequest, caller: Caller): void {
  refuseFormats(request, caller);
}

function refuseFormats({ formats, actions }: ScrapeRequest, { restrictions }: Caller): void {
  const { formats: allowed } = restrictions;
  if (!allowed) return;
  const outputs = actions.filter(({ type }) => OUTPUT_ACTIONS.has(type));
  const wanted = new Set([...formats, ...outputs].map(({ type }) => type));
  const refused = [...wanted].filter((type) => !allowed.includes(type));
  if (refused.length === 0) return;
  throw new ForbiddenError(
    `Request blocked: this API key is restricted to the following formats: ${allowed.join(", ")}. Requested formats not allowed: ${refused.join(", ")}.`,
  );
}
