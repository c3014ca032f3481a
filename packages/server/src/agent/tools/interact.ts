import { z } from "zod";

import { ToolFailure } from "../../scrape/prompts/agent-loop.ts";
import { limits } from "../../api/limits.ts";
import { defineAgentTool, pageKey, type ReadPage } from "./tool.ts";

/** Limits of a session and of the work in it. */
const LIFE_MS = 5 * 60_000;
const IDLE_MS = 60_000;
const WORK_MS = 2 * 60_000;
const MAX_TASK_LENGTH = 2000;

export const interact = defineAgentTool({
  about: `{"url", "task": words} – open a page that you have read in a browser and complete a task there: click, fill in forms, search, scroll. It costs 7 credits a minute, so use it only for what scrape cannot show`,
  input: z.object({
    url: z.string().min(1).max(limits.urlLength),
    task: z.string().trim().min(1).max(MAX_TASK_LENGTH),
  }),
  isOffered: ({ isStrict }) => !isStrict,
  async run({ url, task }, { caller, pages, payment, services, showSession, maxLength, signal }) {
    const { scrapeId } = pageOf(url, pages);
    const interaction = await services.interact();
    const { sessions } = interaction;
    if (await sessions.isOpen(scrapeId, caller))
      throw new ToolFailure("This page is open in another session. Scrape it again first.");
    const options = { caller, ttlMs: LIFE_MS, idleMs: IDLE_MS, isPrompted: true, payment };
    const session = await sessions.ofScrape(scrapeId, options, signal);
    showSession(session);
    try {
      const done = await interaction.prompt(session, { prompt: task, timeoutMs: WORK_MS }, signal);
      const end =
        done.error === undefined ? "The task was completed." : `The task was not completed: ${done.error}`;
      const text = [end, done.output, `The page afterwards:\n${done.result}`].filter(Boolean).join("\n\n");
      return {
        text: text.slice(0, maxLength),
        summary: end,
        sessionId: session.facts.id,
        artifact: { kind: "text", name: url, content: text.slice(0, maxLength) },
      };
    } finally {
      await session.end("stopped");
    }
  },
});

/** The page as it was last read. @throws ToolFailure when it was not read. */
function pageOf(url: string, pages: readonly ReadPage[]): ReadPage {
  const wanted = pageKey(url);
  const page = pages.findLast(
    (one) => pageKey(one.url) === wanted || (one.finalUrl !== undefined && pageKey(one.finalUrl) === wanted),
  );
  if (!page) throw new ToolFailure("You have not read this page yet. Scrape it first.");
  return page;
}
