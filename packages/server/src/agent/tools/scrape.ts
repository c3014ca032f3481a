import { z } from "zod";

import { ToolFailure } from "../../scrape/prompts/agent-loop.ts";
import { limits } from "../../api/limits.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { startJob } from "../../scrape/request/job.ts";
import { runScrape } from "../../scrape/run.ts";
import { defineAgentTool, pageKey, type ToolContext } from "./tool.ts";

const TIMEOUT_MS = 60_000;
const MAX_PARTS = 1000;

export const scrape = defineAgentTool({
  about: `{"url", "part": number, "whole": boolean} – read a page, PDF or other document as Markdown; part 2, 3 … for the rest of a long one; whole: include menus and footers`,
  input: z.object({
    url: z.string().min(1).max(limits.urlLength),
    part: z.coerce.number().int().min(1).max(MAX_PARTS).nullish(),
    whole: z.boolean().nullish(),
  }),
  async run({ url, part, whole }, context) {
    refuseOthers(url, context);
    const { caller, linkBase, services, jobId, signal } = context;
    const body = bodyOf(url, whole ?? false, context);
    const parent = { id: jobId, class: "job" } as const;
    const job = startJob(services.scraping.plan(body), { kind: "agent", caller, linkBase, parent });
    const { answer, facts } = await runScrape(job, services.scraping, signal);
    const data = answer.data(facts) as ScrapeData & { readonly markdown?: string };
    const { finalUrl, title, statusCode } = headOf(data);
    const markdown = data.markdown ?? "";
    const text = partOf(markdown, part ?? 1, context.maxLength);
    const head = [`URL: ${finalUrl ?? url}`, `Title: ${title}`, `Status: ${statusCode}`].join("\n");
    return {
      text: `${head}\n\n${text}`,
      summary: `${statusCode}, ${markdown.length} characters${title === "" ? "" : `: ${title}`}`,
      page: { url: job.plan.sourceUrl, scrapeId: job.id, ...(finalUrl !== undefined && { finalUrl }) },
      artifact: { kind: "markdown", name: finalUrl ?? url, content: text },
    };
  },
});

/** @throws ToolFailure for a page that the run may not visit. */
function refuseOthers(url: string, { onlyUrls }: ToolContext): void {
  if (!onlyUrls || onlyUrls.has(pageKey(url))) return;
  throw new ToolFailure("Only the URLs that the user named may be visited.");
}

function bodyOf(url: string, whole: boolean, { shared }: ToolContext): object {
  const { location, threatProtection, auditMetadata } = shared;
  return {
    url,
    formats: ["markdown"],
    onlyMainContent: !whole,
    timeout: TIMEOUT_MS,
    origin: "agent",
    ...(location && { location }),
    ...(threatProtection && { threatProtection }),
    ...(auditMetadata && { auditMetadata }),
  };
}

function headOf({ metadata }: ScrapeData) {
  const { url, title, statusCode } = metadata as Readonly<Record<string, unknown>>;
  return {
    finalUrl: typeof url === "string" ? url : undefined,
    title: typeof title === "string" ? title : "",
    statusCode: typeof statusCode === "number" ? statusCode : 0,
  };
}

function partOf(markdown: string, part: number, length: number): string {
  const text = markdown.slice((part - 1) * length, part * length);
  const parts = Math.max(1, Math.ceil(markdown.length / length));
  if (part > parts) return `There is no part ${part}: the page has ${parts}.`;
  if (text.trim() === "") return "The page has no text.";
  return part < parts ? `${text}\n\n(Part ${part} of ${parts}.)` : text;
}
