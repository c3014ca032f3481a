import { z } from "zod";

import { brandProfile } from "../../content/branding/brand-profile.ts";
import { Branding } from "../../contract/branding.ts";
import { ServiceError } from "../../contract/errors.ts";
import { brandVoice } from "./brand-voice.ts";
import { defineFormat } from "./format.ts";

export const branding = defineFormat({
  options: z
    .strictObject({ type: z.literal("branding") })
    .describe("Colours, fonts, logo and other marks of the page's brand."),
  answer: { branding: Branding },
  credits: 0,
  bypassesCache: () => true,
  browser: () => ({ brand: true }),
  async produce(page, _options, tools) {
    const { brand } = page.capture;
    if (!brand) throw new ServiceError("SCRAPE_BRANDING_NOT_SUPPORTED");
    const profile = brandProfile(brand);
    return { branding: { ...profile, ...(await brandVoice(page, profile, tools)) } };
  },
});
