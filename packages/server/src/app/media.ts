import { limits } from "../api/limits.ts";
import { locateProgram } from "@pergamon-dev/kit/process/programs";
import { openFfmpeg } from "../scrape/media/ffmpeg.ts";
import { type Media, openMedia } from "../scrape/media/media.ts";
import { openYtDlp } from "../scrape/media/yt-dlp.ts";
import type { AppContext } from "./context.ts";
import type { Readers } from "../sandbox/readers/readers.ts";
import type { Network } from "./network.ts";

/** What gets sound and films, with the programs that are installed. */
export function openMediaTools({ config }: AppContext, { client, guard }: Network, readers: Readers): Media {
  const { ffmpegPath, ytDlpPath, pathVariable } = config.programs;
  const proxyOfAll = () => config.network.proxies[0];
  const shared = {
    readers,
    guard,
    proxy: proxyOfAll,
    timeLimitMs: limits.mediaProgramMs,
    maxBytes: limits.mediaBytes,
  };
  const find = async (configured: string | undefined, name: string) =>
    configured ?? (await locateProgram(name, pathVariable));
  return openMedia({
    client,
    get proxy() {
      return proxyOfAll();
    },
    maxBytes: limits.mediaBytes,
    converter: find(ffmpegPath, "ffmpeg").then((path) =>
      path ? openFfmpeg({ path, ...shared }) : undefined,
    ),
    pageMedia: find(ytDlpPath, "yt-dlp").then((path) =>
      path ? openYtDlp({ path, pathVariable, ...shared }) : undefined,
    ),
  });
}
