import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import type { compilePatterns } from "../fetch/urls/patterns.ts";
import type { Checked } from "../storage/models/ask-endpoint.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";

const Patterns = z.array(z.string().max(500)).max(20).optional();
const Flag = z.boolean().optional();
const MAX_PROPOSED_LIMIT = 1_000_000;

/** Options that a model may propose for a crawl. */
const Proposal = z.strictObject({
  includePaths: Patterns,
  excludePaths: Patterns,
  maxDiscoveryDepth: z.int().min(0).max(100).optional(),
  crawlEntireDomain: Flag,
  allowExternalLinks: Flag,
  allowSubdomains: Flag,
  sitemap: z.enum(["include", "skip", "only"]).optional(),
  ignoreQueryParameters: Flag,
  deduplicateSimilarURLs: Flag,
  delay: z.number().min(0).max(60).optional(),
  limit: z.int().min(1).max(MAX_PROPOSED_LIMIT).optional(),
});

export type CrawlProposal = z.output<typeof Proposal>;

const SYSTEM = `Choose the options of a web crawl from the user's task. Return only the options that follow from the task.
- includePaths, excludePaths: regular expressions in RE2 syntax, matched anywhere in the path of a URL, which starts with /. A page must match one of includePaths, if there are any, and none of excludePaths.
- The crawl visits only pages at or below the path of the start URL, unless crawlEntireDomain is true. The patterns must match the start URL, too.
- maxDiscoveryDepth: the maximum number of links to follow from the start URL. limit: the maximum number of pages.
- allowSubdomains, allowExternalLinks: visit subdomains of the site, or pages of other sites that it links to.
- sitemap: "include" also reads sitemaps; "skip" does not; "only" follows no links.
- ignoreQueryParameters: visit one page for each path. delay: seconds between two pages.`;

const MAX_OUTPUT_TOKENS = 2000;
const FAILED = "Failed to process natural language prompt.";

interface CrawlPrompt {
  readonly url: string;
  readonly prompt: string;
  readonly teamId: string;
}

/**
 * Options that a model finds in a prompt.
 * @throws ServiceError BAD_REQUEST if no model is configured, or it finds no options.
 */
export async function proposeOptions(
  { url, prompt, teamId }: CrawlPrompt,
  models: LanguageModels,
  signal: AbortSignal,
): Promise<CrawlProposal> {
  if (!models.isConfigured) throw failed(`${FAILED} ${MODEL_MISSING}`);
  const question = {
    system: SYSTEM,
    user: `Start URL: ${url}\n\nTask from the user: ${prompt}`,
    schema: z.toJSONSchema(Proposal),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    check: await proposalCheck(),
  };
  try {
    const { answer } = await models.ask(question, signal, teamId);
    return answer;
  } catch (cause) {
    signal.throwIfAborted();
    throw failed(`${FAILED} The language model gave no options that fit. Send them as fields.`, cause);
  }
}

/** Tells the operator how to fix it. */
export const MODEL_MISSING =
  "This service has no language model: set LLM_BASE_URL and LLM_MODEL, or send the options as fields.";

function failed(message: string, cause?: unknown): ServiceError {
  return new ServiceError("BAD_REQUEST", { message, cause });
}

/** Loads the engine of patterns with the first prompt. */
async function proposalCheck(): Promise<(value: unknown) => Checked<CrawlProposal>> {
  const { compilePatterns } = await import("../fetch/urls/patterns.ts");
  return (value) => checkProposal(value, compilePatterns);
}

/** Models with strict schemas send null for missing fields. */
function checkProposal(value: unknown, compile: typeof compilePatterns): Checked<CrawlProposal> {
  if (typeof value !== "object" || value === null) return { problem: "It has to be an object." };
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const parsed = Proposal.safeParse(given);
  if (!parsed.success) return { problem: z.prettifyError(parsed.error).slice(0, 1000) };
  const { includePaths: include = [], excludePaths: exclude = [] } = parsed.data;
  const patterns = compile({ include, exclude, areOfWholeUrl: false });
  if ("ruleAgainst" in patterns) return { answer: parsed.data };
  const reasons = patterns.map(({ list, index, reason }) => `${list}Paths[${index}]: ${reason}`);
  return { problem: `Some patterns are not of RE2: ${reasons.join("; ")}` };
}
