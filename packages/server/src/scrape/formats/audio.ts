import { z } from "zod";

import { NOT_FETCHED } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { mediaLink } from "./media-answer.ts";

export const audio = defineFormat({
  options: z.strictObject({ type: z.literal("audio") }).describe("The audio of a media page as MP3."),
  retention: { keepsFile: true, leftOut: "Audio is not fetched in lockdown." },
  answer: {
    audio: z.string().describe("URL of the MP3 file. It needs no API key and expires after an hour."),
  },
  price: { credits: 4, isChargedWhenAnswered: true },
  acceptsAnyFile: true,
  cacheUse: () => "bypassed",
  coverage: NOT_FETCHED,
  async produce(page, _options, tools) {
    const url = await mediaLink("audio", page, tools);
    return url === undefined ? {} : { audio: url };
  },
});
