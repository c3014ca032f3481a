import { z } from "zod";

import { unsupportedClaims } from "../../content/answers/unsupported.ts";
import { BrandVoice } from "../../contract/branding.ts";
import type { Page } from "../../page/page.ts";
import type { Checked } from "../../platform/models/ask-endpoint.ts";
import { SCHEMA, SYSTEM, userText, VERSION } from "../prompts/brand-voice.ts";
import type { FormatTools } from "./format.ts";

/** A voice is heard from the beginning. */
const MOST_TOKENS = 4000;

const Words = z.string().trim().min(1).max(200);
const { energy, tone } = BrandVoice.shape.personality.shape;
const Reply = z.object({
  voice: Words,
  emojiUsage: z.enum(["none", "some", "many"]),
  targetAudience: Words,
  energy,
  tone,
});

/** How a brand speaks: nothing without a model, for no measure tells it. @param look what was measured. */
export async function brandVoice(
  page: Page,
  look: object,
  { model, answeredBy }: FormatTools,
): Promise<z.output<typeof BrandVoice> | undefined> {
  if (!model) return undefined;
  const { lines } = await page.reading(Math.min(MOST_TOKENS, model.maxTokens));
  if (lines.length === 0) return undefined;
  const text = lines.map((line) => line.text).join("\n");
  const answered = await model.ask({
    key: ["branding", text, look],
    version: VERSION,
    system: SYSTEM,
    user: userText(text, look),
    schema: SCHEMA,
    check: (value) => checkVoice(value, text),
  });
  if (!answered) return undefined;
  answeredBy(answered.model);
  const { voice, emojiUsage, ...personality } = Reply.parse(JSON.parse(answered.answer));
  return { tone: { voice, emojiUsage }, personality };
}

/** Words of a model's own, so nothing but words: figures and addresses have to be the page's. */
function checkVoice(value: unknown, page: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "It does not fit the schema, or a text has more than 200 characters." };
  const invented = unsupportedClaims(`${reply.voice} ${reply.targetAudience}`, page);
  return invented.length > 0
    ? { problem: `The page does not say: ${invented.join(", ")}.` }
    : { answer: JSON.stringify(reply) };
}
