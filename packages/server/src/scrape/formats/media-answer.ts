import { limits } from "../../api/limits.ts";
import { type ErrorCode, errorCodes } from "../../api/error-codes.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Page } from "../page/page.ts";
import { MediaProblem } from "../media/media-problem.ts";
import type { FormatTools } from "./format.ts";

type MediaType = "audio" | "video";

const NAMES = {
  audio: { title: "Audio", unsupported: "SCRAPE_AUDIO_UNSUPPORTED_URL" },
  video: { title: "Video", unsupported: "SCRAPE_VIDEO_UNSUPPORTED_URL" },
} as const satisfies Record<MediaType, { readonly title: string; readonly unsupported: ErrorCode }>;

/**
 * Link to the sound or the video of a page. Undefined, with a warning, when this machine lacks a required
 * program.
 * @throws ServiceError when the page has no usable media, or refuses it (contract, section 3.15).
 */
export async function mediaLink(
  type: MediaType,
  page: Page,
  tools: FormatTools,
): Promise<string | undefined> {
  const { warn, link, signal } = tools;
  const missing = `${NAMES[type].title} format is not available (service not configured).`;
  try {
    const file = await tools.media.get(await orderOf(type, page, tools), signal);
    if (file) return await link(file, limits.keptMs.media);
    warn(`${missing} This page does not link to media files. Install yt-dlp, or set YTDLP_PATH.`);
  } catch (failure) {
    if (!(failure instanceof MediaProblem)) throw failure;
    if (failure.kind !== "needs-ffmpeg") throw refusalOf(failure, type);
    warn(`${missing} ${failure.message} Install ffmpeg, or set FFMPEG_PATH.`);
  }
  return undefined;
}

async function orderOf(type: MediaType, page: Page, { judge }: FormatTools) {
  const { capture } = page;
  const found = await page.media();
  const wanted = found.filter((address) => address.type === type || address.type === "any");
  // A video contains sound.
  const others = type === "audio" ? found.filter((address) => address.type === "video") : [];
  return {
    type,
    url: capture.url,
    addresses: [...wanted, ...others].map(({ url }) => url),
    body: /html/i.test(capture.contentType ?? "") ? undefined : capture.body,
    judge,
  };
}

function refusalOf({ kind, message }: MediaProblem, type: MediaType): ServiceError {
  if (kind === "denied") return new ServiceError("SCRAPE_MEDIA_ACCESS_DENIED");
  const code = NAMES[type].unsupported;
  return new ServiceError(code, { message: `${errorCodes[code].message}. ${message}` });
}
