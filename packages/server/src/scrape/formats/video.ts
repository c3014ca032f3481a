import { z } from "zod";

import { NOT_FETCHED } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { mediaLink } from "./media-answer.ts";

export const video = defineFormat({
  options: z.strictObject({ type: z.literal("video") }).describe("The video of a media page."),
  retention: { keepsFile: true, leftOut: "Video is not fetched in lockdown." },
  answer: {
    video: z.string().describe("URL of the video file. It needs no API key and expires after an hour."),
  },
  price: { credits: 4, isChargedWhenAnswered: true },
  acceptsAnyFile: true,
  cacheUse: () => "bypassed",
  coverage: NOT_FETCHED,
  async produce(page, _options, tools) {
    const url = await mediaLink("video", page, tools);
    return url === undefined ? {} : { video: url };
  },
});
