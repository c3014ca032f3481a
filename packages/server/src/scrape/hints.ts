import type { Credits } from "../accounts/credits.ts";
import type { Answer } from "./answer/answer.ts";
import type { ScrapeFacts } from "../api/answer.ts";
import type { TeamCall } from "../api/call.ts";

/** Fewer credits may not last for the rest of a task. */
const FEW_CREDITS = 100;

interface Scraped {
  readonly answer: Pick<Answer, "capture" | "pageCounts">;
  readonly facts: Pick<ScrapeFacts, "scrapeId">;
  /** Whether the page can be opened again, to continue there. */
  readonly mayInteract: boolean;
}

/** Suggests next steps to language models, when their client asks for hints (contract, section 3.34). */
export async function agentHints(
  { headers, caller }: Pick<TeamCall, "headers" | "caller">,
  { answer, facts, mayInteract }: Scraped,
  credits: Pick<Credits, "balance">,
): Promise<readonly string[]> {
  if (headers["x-firecrawl-agent-hints"] !== "true") return [];
  const { statusCode } = answer.capture;
  const { numPages = 0, totalPages = 0 } = answer.pageCounts ?? {};
  const { remaining } = await credits.balance(caller.team);
  const hints = [
    statusCode === 401 &&
      mayInteract &&
      `The page wants a login. Log in with POST /v2/scrape/${facts.scrapeId}/interact.`,
    (statusCode === 404 || statusCode === 410) &&
      "The page is not there. POST /v2/map lists the pages that its site has.",
    totalPages > numPages &&
      `${numPages} of ${totalPages} pages were read. For more, send the request again with a larger maxPages.`,
    remaining !== undefined && remaining < FEW_CREDITS && `The team has ${remaining} credits left.`,
  ];
  return hints.filter((hint) => hint !== false);
}
