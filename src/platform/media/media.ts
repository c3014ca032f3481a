import { Gate } from "../../kit/gate.ts";
import type { FileContent } from "../blobs/file-content.ts";
import type { HttpClient } from "../net/client.ts";
import { NetworkError } from "../net/guard/network-error.ts";
import type { Proxy } from "../net/proxies.ts";
import type { Converter } from "./ffmpeg.ts";
import { type DownloadOptions, openMediaDownload } from "./media-download.ts";
import { isAudio } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";
import { mediaAt, type MediaFiles, mediaOf } from "./stream.ts";
import type { MediaType, PageMedia } from "./yt-dlp.ts";

/** What is wanted, and where it may be. */
export interface MediaOrder {
  readonly type: MediaType;
  /** The page. */
  readonly url: string;
  /** Addresses of media that the page tells, the likeliest first. */
  readonly addresses: readonly string[];
  /** What the address of the page itself brought, where that is not a page. */
  readonly body: Uint8Array | undefined;
  readonly judge: DownloadOptions["judge"];
}

/** Gets the sound or the film of a page. */
export interface Media {
  /**
   * @returns undefined when the page names no media and there is no program that finds it.
   * @throws MediaProblem when there is some that cannot be had; the signal's reason once it is aborted.
   */
  get(order: MediaOrder, signal: AbortSignal): Promise<FileContent | undefined>;
}

export interface MediaServices {
  readonly client: HttpClient;
  /** The operator's proxy that everything leaves through. */
  readonly proxy: Proxy | undefined;
  /** Undefined when there is no ffmpeg. */
  readonly converter: Promise<Converter | undefined>;
  /** Undefined when there is no yt-dlp. */
  readonly pageMedia: Promise<PageMedia | undefined>;
  /** Of one piece of media, all that belongs to it together. It is in memory while it is worked on. */
  readonly maxBytes: number;
}

/** Addresses of one page that are tried. */
const MAX_ADDRESSES = 5;
/** Pieces of media that are worked on at once, each of which may fill memory. */
const AT_ONCE = 2;

export function openMedia(services: MediaServices): Media {
  const gate = new Gate(AT_ONCE);
  return { get: (order, signal) => gate.run(() => getMedia(order, services, signal), signal, "media") };
}

async function getMedia(order: MediaOrder, services: MediaServices, signal: AbortSignal) {
  const problems: MediaProblem[] = [];
  for (const find of waysTo(order, services, signal)) {
    try {
      return await asWanted(await find(), order.type, services, signal);
    } catch (failure) {
      signal.throwIfAborted();
      problems.push(problemOf(failure));
    }
  }
  const found = await (await services.pageMedia)?.get(order, signal).catch((failure: unknown) => {
    signal.throwIfAborted();
    problems.push(problemOf(failure));
  });
  if (found) return asWanted([found], order.type, services, signal);
  const [first] = problems;
  if (first) throw problems.find(({ kind }) => kind !== "unsupported") ?? first;
  return undefined;
}

/** Where the media may be, the surest first. */
function waysTo(order: MediaOrder, { client, proxy, maxBytes }: MediaServices, signal: AbortSignal) {
  const { type, url, body, addresses, judge } = order;
  const download = openMediaDownload({ client, proxy, maxBytes, judge }, signal);
  const own = body ? [() => mediaOf({ bytes: body, url }, type, download)] : [];
  return [
    ...own,
    ...addresses.slice(0, MAX_ADDRESSES).map((address) => () => mediaAt(address, type, download)),
  ];
}

/** What is not a MP3 or is in several files needs ffmpeg; films of one file are returned as they are. */
async function asWanted(files: MediaFiles, type: MediaType, services: MediaServices, signal: AbortSignal) {
  const [first] = files;
  const converter = await services.converter;
  if (type === "audio") {
    if (first.contentType === "audio/mpeg") return told(first);
    const sound = files.find(isAudio) ?? first;
    if (!converter) throw new MediaProblem("needs-ffmpeg", "The audio is not MP3.");
    return { bytes: await converter.toMp3(sound, signal), contentType: "audio/mpeg" } as const;
  }
  if (files.length === 1 && isAudio(first))
    throw new MediaProblem("unsupported", "There is sound, and no film.");
  const isWhole = files.length === 1;
  if (isWhole && (first.contentType !== "video/mp2t" || !converter)) return told(first);
  if (!converter) throw new MediaProblem("needs-ffmpeg", "Film and sound are in files of their own.");
  return { bytes: await converter.toMp4(files, signal), contentType: "video/mp4" } as const;
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
