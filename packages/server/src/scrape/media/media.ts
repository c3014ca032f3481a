import { Gate } from "@pergamon-dev/kit/gate";
import type { FileContent } from "../../storage/blobs/file-content.ts";
import type { HttpClient } from "../../net/client.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "../../net/proxies.ts";
import type { Converter } from "./ffmpeg.ts";
import { isAudio, type MediaFile, mediaFileOf } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";
import type { MediaType, PageMedia } from "./yt-dlp.ts";
import { headerOf } from "../../net/exchange.ts";
import { navigate } from "../../net/navigate.ts";

export interface MediaOrder {
  readonly type: MediaType;
  /** URL of the page. */
  readonly url: string;
  /** Addresses of media on the page, the most likely first. */
  readonly addresses: readonly string[];
  /** Body at the address of the page itself, when that is not a page. */
  readonly body: Uint8Array | undefined;
  readonly judge: DownloadOptions["judge"];
}

/** Gets the sound or the video of a page. */
export interface Media {
  /**
   * @returns undefined when the page names no media and no installed program finds any.
   * @throws MediaProblem when there is media that is not available; the signal's reason once it is aborted.
   */
  get(order: MediaOrder, signal: AbortSignal): Promise<FileContent | undefined>;
}

interface MediaServices {
  readonly client: HttpClient;
  /** The operator's proxy for all outgoing traffic. */
  readonly proxy: Proxy | undefined;
  /** Undefined when ffmpeg is not installed. */
  readonly converter: Promise<Converter | undefined>;
  /** Undefined when yt-dlp is not installed. */
  readonly pageMedia: Promise<PageMedia | undefined>;
  /** Limit for all data of one piece of media. It stays in memory during the work. */
  readonly maxBytes: number;
}

/** Maximum addresses of one page that are tried. */
const MAX_ADDRESSES = 5;
/** Bytes at the beginning of a file that identify a playlist or manifest. */
const HEAD_BYTES = 5000;
const MADE = { audio: "audio/mpeg", video: "video/mp4" } as const;
/** Maximum pieces of media at once. Each of them may fill memory. */
const AT_ONCE = 2;

export function openMedia(services: MediaServices): Media {
  const gate = new Gate(AT_ONCE);
  return { get: (order, signal) => gate.run(() => getMedia(order, services, signal), signal, "media") };
}

async function getMedia(order: MediaOrder, services: MediaServices, signal: AbortSignal) {
  const problems: MediaProblem[] = [];
  for (const find of waysTo(order, services, signal)) {
    try {
      return await mediaOf(await find(), { order, services }, signal);
    } catch (failure) {
      signal.throwIfAborted();
      problems.push(problemOf(failure));
    }
  }
  const found = await (await services.pageMedia)?.get(order, signal).catch((failure: unknown) => {
    signal.throwIfAborted();
    problems.push(problemOf(failure));
  });
  if (found) return asWanted(found, { order, services }, signal);
  const [first] = problems;
  if (first) throw problems.find(({ kind }) => kind !== "unsupported") ?? first;
  return undefined;
}

type Found = Pick<Downloaded, "bytes" | "url">;

/** Possible sources of the media, the most certain first. */
function waysTo(
  { url, body, addresses, judge }: MediaOrder,
  { client, proxy, maxBytes }: MediaServices,
  signal: AbortSignal,
): readonly (() => Promise<Found>)[] {
  const download = openMediaDownload({ client, proxy, maxBytes, judge }, signal);
  return [
    ...(body ? [async () => ({ bytes: body, url })] : []),
    ...addresses.slice(0, MAX_ADDRESSES).map((address) => () => download.get(address)),
  ];
}

interface Wanted {
  readonly order: MediaOrder;
  readonly services: MediaServices;
}

/** Media at an address: a file, a playlist (HLS) or a manifest (DASH). */
async function mediaOf({ bytes, url }: Found, wanted: Wanted, signal: AbortSignal): Promise<FileContent> {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("utf8");
  const isPlaylist = /^\uFEFF?#EXTM3U/.test(head);
  if (isPlaylist && isLive(bytes))
    throw new MediaProblem("unsupported", "The stream is live: it does not end.");
  if (isPlaylist || /<MPD[\s>]/.test(head)) return streamAt(url, wanted, signal);
  const file = await mediaFileOf(bytes);
  if (!file) throw new MediaProblem("unsupported", "The URL does not return audio or video.");
  return asWanted(file, wanted, signal);
}

/** Whether it is a list of pieces, not of renditions, without an end. */
function isLive(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes);
  return !text.includes("#EXT-X-STREAM-INF:") && !text.includes("#EXT-X-ENDLIST");
}

async function streamAt(url: string, { order, services }: Wanted, signal: AbortSignal): Promise<FileContent> {
  const converter = await services.converter;
  if (!converter) throw new MediaProblem("needs-ffmpeg", "The media is a stream of many files.");
  const { type, judge } = order;
  return { bytes: await converter.stream({ url, type, judge }, signal), contentType: MADE[type] };
}

/** Sound that is not MP3 needs ffmpeg. Videos stay unchanged, except for MPEG-TS when ffmpeg is installed. */
async function asWanted(
  file: MediaFile,
  { order, services }: Wanted,
  signal: AbortSignal,
): Promise<FileContent> {
  const { type } = order;
  if (type === "video" && isAudio(file))
    throw new MediaProblem("unsupported", "There is sound, and no film.");
  const isMade = type === "audio" && file.contentType !== MADE.audio;
  const converter = await services.converter;
  if (isMade && !converter) throw new MediaProblem("needs-ffmpeg", "The audio is not MP3.");
  if (!converter || (!isMade && file.contentType !== "video/mp2t")) return told(file);
  return { bytes: await converter.convert(file, type, signal), contentType: MADE[type] };
}

function told({ bytes, contentType }: FileContent): FileContent {
  return { bytes, contentType };
}

function problemOf(failure: unknown): MediaProblem {
  if (failure instanceof MediaProblem) return failure;
  const isOfNetwork = failure instanceof NetworkError;
  if (!isOfNetwork) throw failure;
  return new MediaProblem("unsupported", failure.message, { cause: failure });
}

interface Downloaded {
  /** URL after redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Downloads of one scrape. They share one allowance of bytes. */
interface MediaDownload {
  /**
   * @throws MediaProblem when the file is refused or too large; NetworkError; the signal's reason once it is
   * aborted.
   */
  get(url: string): Promise<Downloaded>;
}

interface DownloadOptions {
  readonly client: HttpClient;
  /** Called before anything is fetched from an address. An exception of it ends the download. */
  readonly judge: ((url: string, signal: AbortSignal) => Promise<void>) | undefined;
  readonly proxy: Proxy | undefined;
  readonly maxBytes: number;
}

const DENIED: ReadonlySet<number> = new Set([401, 402, 403, 451]);

function openMediaDownload(options: DownloadOptions, signal: AbortSignal): MediaDownload {
  const { client, judge, proxy, maxBytes } = options;
  let leftBytes = maxBytes;

  async function get(url: string): Promise<Downloaded> {
    if (!/^https?:/i.test(url))
      throw new MediaProblem("unsupported", "Media that is not on the web is not fetched.");
    await judge?.(url, signal);
    const { url: finalUrl, response } = await navigate(
      client,
      {
        url,
        headers: {},
        acceptLanguage: "en-US,en;q=0.9",
        skipTlsVerification: false,
        profile: "basic",
        maxBodyBytes: Math.max(1, leftBytes),
        ...(proxy && { proxy }),
        ...(judge && { judgeHop: judge }),
      },
      signal,
    );
    const { status, headers } = response;
    if (DENIED.has(status)) throw new MediaProblem("denied", `The media is answered with status ${status}.`);
    if (status < 200 || status > 299)
      throw new MediaProblem("unsupported", `The media is answered with status ${status}.`);
    const { body: bytes } = response;
    leftBytes -= bytes.byteLength;
    if (leftBytes < 0) throw new MediaProblem("unsupported", `The media is larger than ${maxBytes} bytes.`);
    return { url: finalUrl, contentType: headerOf(headers, "content-type") ?? "", bytes };
  }

  return { get };
}
