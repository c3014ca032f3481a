import { z } from "zod";
import { brandProfile } from "@pergamon-dev/facts/branding/brand-profile";
import { brandTies, type BrandTies } from "@pergamon-dev/facts/branding/brand-ties";
import { Branding, BrandVoice } from "../../api/branding.ts";
import { ServiceError } from "../../api/errors.ts";
import { at, UNSHOWN } from "./coverage.ts";
import { defineFormat, type FormatTools } from "./format.ts";
import { unsupportedClaims } from "@pergamon-dev/facts/answers/unsupported";
import type { BrandDecisions } from "@pergamon-dev/facts/branding/evidence";
import type { Page } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { brandingPrompt } from "../prompts/prompts.ts";

/** Maximum tokens of page text. The beginning of a page is enough to hear its tone of voice. */
const MAX_TOKENS = 4000;

export const branding = defineFormat({
  options: z
    .strictObject({ type: z.literal("branding") })
    .describe("Colours, fonts, logo and other brand elements of the page."),
  answer: { branding: Branding },
  retention: { lockdownError: "SCRAPE_BRANDING_NOT_SUPPORTED" },
  cacheUse: () => "written",
  isInCopy: ({ brand }) => brand !== undefined,
  browser: { order: () => ({ brand: true }) },
  coverage: at(["http", "copy", ...UNSHOWN], { refused: "SCRAPE_BRANDING_NOT_SUPPORTED" }),
  async produce(page, _options, tools) {
    const { brand } = page.capture;
    if (!brand) throw new ServiceError("SCRAPE_BRANDING_NOT_SUPPORTED");
    const look = brandProfile(brand);
    const told = await brandByModel(page, { look, ties: brandTies(brand) }, tools);
    return { branding: told ? { ...brandProfile(brand, told.decided), ...told.voice } : look };
  },
});

const Words = z.string().trim().min(1).max(200);
const Choice = z.int().optional().catch(undefined);
const { energy, tone } = BrandVoice.shape.personality.shape;
const Reply = z.object({
  voice: Words,
  emojiUsage: z.enum(["none", "some", "many"]),
  targetAudience: Words,
  energy,
  tone,
  logo: Choice,
  primaryColor: Choice,
});

interface MeasuredBrand {
  readonly look: object;
  readonly ties: BrandTies;
}

/** Facts about a brand that no measurement finds. */
interface BrandByModel {
  readonly voice: z.output<typeof BrandVoice>;
  readonly decided: BrandDecisions;
}

/**
 * Asks for a brand's tone of voice, and decides ties of measurements. Undefined without a model, because no
 * measurement tells the tone.
 */
async function brandByModel(
  page: Page,
  { look, ties }: MeasuredBrand,
  { model, answeredBy }: FormatTools,
): Promise<BrandByModel | undefined> {
  if (!model) return undefined;
  const { lines } = await page.reading(Math.min(MAX_TOKENS, model.maxTokens));
  if (lines.length === 0) return undefined;
  const text = lines.map((line) => line.text).join("\n");
  const answered = await model.ask({
    key: ["branding", text, look, ties],
    ...brandingPrompt(text, look, ties),
    check: (value) => checkReply(value, text),
  });
  if (!answered) return undefined;
  answeredBy(answered.model);
  const { voice, emojiUsage, logo, primaryColor, ...personality } = Reply.parse(JSON.parse(answered.answer));
  return {
    voice: { tone: { voice, emojiUsage }, personality },
    decided: { logo: ties.logos[logo ?? -1]?.url, primary: ties.primaries[primaryColor ?? -1] },
  };
}

/** The model answers in its own words, so figures and addresses must be on the page. */
function checkReply(value: unknown, page: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply)
    return { problem: "The object does not match the schema, or a text is longer than 200 characters." };
  const invented = unsupportedClaims(`${reply.voice} ${reply.targetAudience}`, page);
  return invented.length > 0
    ? { problem: `The page does not say: ${invented.join(", ")}.` }
    : { answer: JSON.stringify(reply) };
}
