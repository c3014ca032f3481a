import { z } from "zod";

import { definePart } from "./part.ts";

/** Programs that formats use where they are installed. */
export const programs = definePart({
  title: "Programs",
  settings: z.object({
    TESSERACT_PATH: z
      .string()
      .optional()
      .meta({ description: "tesseract, which reads text in images", unset: "looked up on `PATH`" }),
    FFMPEG_PATH: z
      .string()
      .optional()
      .meta({ description: "ffmpeg, which reads audio and video", unset: "looked up on `PATH`" }),
    YTDLP_PATH: z
      .string()
      .optional()
      .meta({ description: "yt-dlp, which fetches audio and video", unset: "looked up on `PATH`" }),
  }),
  derive: (settings, { environment }) => ({
    tesseractPath: settings.TESSERACT_PATH,
    ffmpegPath: settings.FFMPEG_PATH,
    ytDlpPath: settings.YTDLP_PATH,
    /** Folders in which what is not named is looked up. */
    pathVariable: environment["PATH"] ?? "",
  }),
});
