import { z } from "zod";

import { brandProfile } from "@pergamon-dev/facts/branding/brand-profile";
import { brandTies } from "@pergamon-dev/facts/branding/brand-ties";
import { Branding } from "../../api/branding.ts";
import { ServiceError } from "../../api/errors.ts";
import { brandByModel } from "./brand-by-model.ts";
import { at, UNSHOWN } from "./coverage.ts";
import { defineFormat } from "./format.ts";

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
