import { z } from "zod";

import { definePart } from "./part.ts";

/** Installed programs that formats use. */
export const programs = definePart({
  title: "Programs",
  settings: z.object({
    TESSERACT_PATH: z
      .string()
      .optional()
      .meta({ description: "path of tesseract, which reads text in images", unset: "searched in `PATH`" }),
    FFMPEG_PATH: z
      .string()
      .optional()
      .meta({ description: "path of ffmpeg, which reads audio and video", unset: "searched in `PATH`" }),
    YTDLP_PATH: z
      .string()
      .optional()
      .meta({ description: "path of yt-dlp, which fetches audio and video", unset: "searched in `PATH`" }),
  }),
  derive: (settings, { environment }) => ({
    tesseractPath: settings.TESSERACT_PATH,
    ffmpegPath: settings.FFMPEG_PATH,
    ytDlpPath: settings.YTDLP_PATH,
    /** Folders where programs without a configured path are looked up. */
    pathVariable: environment["PATH"] ?? "",
  }),
});
