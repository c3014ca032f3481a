import { isHls, readHls } from "./hls.ts";
import type { Downloaded, MediaDownload } from "./media-download.ts";
import { type MediaFile, mediaFileOf } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";
import type { MediaType } from "./yt-dlp.ts";

/** The files that a piece of media is made of: one, or pictures and sound apart. */
export type MediaFiles = readonly [MediaFile, ...MediaFile[]];

/** Manifests are text. They are read on the main thread, at some 100 ms a million characters. */
const MANIFEST_BYTES = 2_000_000;

/** The media behind an address, which may be a file, a playlist or a manifest. The best rendition is taken. */
export async function mediaAt(url: string, type: MediaType, download: MediaDownload): Promise<MediaFiles> {
  return mediaOf(await download.get({ url }), type, download);
}

/** The media that a file is, or that it names. */
export async function mediaOf(
  { bytes, url }: Pick<Downloaded, "bytes" | "url">,
  type: MediaType,
  download: MediaDownload,
): Promise<MediaFiles> {
  const text = bytes.byteLength <= MANIFEST_BYTES ? Buffer.from(bytes).toString("utf8") : "";
  if (isHls(text)) return fromHls(text, url, { type, download });
  if (isDash(text)) return fromDash(text, url, { type, download });
  return [await fileOf(bytes)];
}

interface Wanted {
  readonly type: MediaType;
  readonly download: MediaDownload;
}

async function fromHls(text: string, url: string, { type, download }: Wanted): Promise<MediaFiles> {
  const playlist = readHls(text, url);
  if (playlist.kind === "pieces") return [await fileOf(await download.join(playlist.pieces))];
  const [rendition] = playlist.renditions.toSorted((a, b) => b.bandwidth - a.bandwidth);
  if (!rendition) throw new MediaProblem("unsupported", "The playlist offers nothing.");
  const { url: pictures, audioUrl } = rendition;
  if (audioUrl === undefined) return [await streamAt(pictures, download)];
  const sound = await streamAt(audioUrl, download);
  return type === "audio" ? [sound] : [await streamAt(pictures, download), sound];
}

/** The stream of a playlist without renditions: a playlist that names playlists that name … has no end. */
async function streamAt(url: string, download: MediaDownload): Promise<MediaFile> {
  const { bytes, url: finalUrl } = await download.get({ url });
  const playlist = readHls(Buffer.from(bytes).toString("utf8"), finalUrl);
  if (playlist.kind !== "pieces")
    throw new MediaProblem("unsupported", "The playlist names other playlists again.");
  return fileOf(await download.join(playlist.pieces));
}

function isDash(text: string): boolean {
  return /<MPD[\s>]/.test(text.slice(0, 5000));
}

async function fromDash(text: string, url: string, { type, download }: Wanted): Promise<MediaFiles> {
  const { readDash } = await import("./dash.ts");
  const streams = readDash(text, url);
  const sound = streams.find((stream) => stream.type === "audio");
  const wanted = type === "audio" && sound ? [sound] : streams;
  const files: MediaFile[] = [];
  for (const { pieces } of wanted) files.push(await fileOf(await download.join(pieces)));
  const [first, ...others] = files;
  if (!first) throw new MediaProblem("unsupported", "The manifest offers nothing.");
  return [first, ...others];
}

async function fileOf(bytes: Uint8Array): Promise<MediaFile> {
  const file = await mediaFileOf(bytes);
  if (!file) throw new MediaProblem("unsupported", "The URL does not return audio or video.");
  return file;
}
