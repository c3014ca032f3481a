import { z } from "zod";

import { ServiceError } from "../../api/errors.ts";
import type { Page } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import type { Ask } from "../formats/ask.ts";
import { SCHEMA, SYSTEM, userText, VERSION } from "../prompts/injection.ts";

/** What a refused page costs (contract, section 3.14). */
const REFUSED_CREDITS = 5;

const TOO_LONG =
  "The prompt injection check was skipped because the page has more than 2000000 characters of text.";

/** Whether the page passed the check; a sentence where it could not be made, which costs nothing. */
export interface InjectionCheck {
  readonly isChecked: boolean;
  readonly warning: string | undefined;
}

const Reply = z.object({ steers: z.boolean() });

/**
 * Looks for orders to language models on a page: by rules, and where those are in doubt by a model, if there is one.
 * @throws ServiceError SCRAPE_PROMPT_INJECTION_DETECTED; the signal's reason, once that is aborted.
 */
export async function checkInjection(page: Page, model: Ask | undefined): Promise<InjectionCheck> {
  const verdict = await page.injection();
  if (!verdict) return { isChecked: false, warning: TOO_LONG };
  const isInjection = verdict.isInjection || (verdict.isDoubtful && (await secondOpinion(page, model)));
  if (isInjection)
    throw new ServiceError("SCRAPE_PROMPT_INJECTION_DETECTED", { creditsUsed: REFUSED_CREDITS });
  return { isChecked: true, warning: undefined };
}

/** A model that does not answer leaves it at what rules say. */
async function secondOpinion(page: Page, model: Ask | undefined): Promise<boolean> {
  if (!model) return false;
  const { lines } = await page.reading(model.maxTokens);
  const text = lines.map((line) => line.text).join("\n");
  const answered = await model.ask({
    key: ["injection", text],
    version: VERSION,
    system: SYSTEM,
    user: userText(text),
    schema: SCHEMA,
    check: checkReply,
  });
  return answered?.answer === "true";
}

function checkReply(value: unknown): Checked<string> {
  const reply = Reply.safeParse(value).data;
  return reply ? { answer: String(reply.steers) } : { problem: "The field `steers` is missing." };
}
