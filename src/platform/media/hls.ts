import type { MediaPart } from "./media-download.ts";
import { MediaProblem } from "./media-problem.ts";

/** What a playlist says (RFC 8216): either which renditions there are, or which pieces a stream is made of. */
export type HlsPlaylist =
  | { readonly kind: "renditions"; readonly renditions: readonly HlsRendition[] }
  | { readonly kind: "pieces"; readonly pieces: readonly MediaPart[]; readonly isFragmented: boolean };

export interface HlsRendition {
  readonly url: string;
  readonly bandwidth: number;
  /** Address of a stream with its sound, where that is apart. */
  readonly audioUrl?: string | undefined;
}

/** Some ten hours of pieces of six seconds. */
const MAX_PIECES = 6000;
/** Of the attributes of a line. What comes later is not read: one line may be as long as the playlist. */
const MAX_ATTRIBUTES_LENGTH = 16 * 1024;

export function isHls(text: string): boolean {
  return /^\uFEFF?#EXTM3U/.test(text);
}

/**
 * Reads a playlist.
 * @param url where it came from: addresses in it are relative to that.
 * @throws MediaProblem for streams that never end, are encrypted or have too many pieces.
 */
export function readHls(text: string, url: string): HlsPlaylist {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.some((line) => line.startsWith("#EXT-X-STREAM-INF:"))) {
    return { kind: "renditions", renditions: renditionsOf(lines, url) };
  }
  if (!lines.includes("#EXT-X-ENDLIST"))
    throw new MediaProblem("unsupported", "The stream is live: it does not end.");
  if (
    lines.some((line) => /^#EXT-X-(?:SESSION-)?KEY:/.test(line) && attributesOf(line)["METHOD"] !== "NONE")
  ) {
    throw new MediaProblem("unsupported", "The stream is encrypted.");
  }
  return { kind: "pieces", ...piecesOf(lines, url) };
}

function renditionsOf(lines: readonly string[], url: string): readonly HlsRendition[] {
  const sounds = new Map<string, string>();
  for (const line of lines.filter((one) => one.startsWith("#EXT-X-MEDIA:"))) {
    const { TYPE, URI, DEFAULT, ["GROUP-ID"]: group = "" } = attributesOf(line);
    if (TYPE === "AUDIO" && URI && (DEFAULT === "YES" || !sounds.has(group))) sounds.set(group, URI);
  }
  return lines.flatMap((line, at) => {
    const address = lines[at + 1];
    if (!line.startsWith("#EXT-X-STREAM-INF:") || !address || address.startsWith("#")) return [];
    const { BANDWIDTH = "0", AUDIO = "" } = attributesOf(line);
    const sound = sounds.get(AUDIO);
    return [
      {
        url: absolute(address, url),
        bandwidth: Number(BANDWIDTH) || 0,
        audioUrl: sound && absolute(sound, url),
      },
    ];
  });
}

function piecesOf(lines: readonly string[], url: string) {
  const pieces: MediaPart[] = [];
  let range: MediaPart["range"];
  let isFragmented = false;
  let nextByte = 0;
  for (const line of lines) {
    if (line.startsWith("#EXT-X-MAP:")) {
      const { URI = "", BYTERANGE } = attributesOf(line);
      pieces.push({ url: absolute(URI, url), range: BYTERANGE ? rangeOf(BYTERANGE, 0) : undefined });
      isFragmented = true;
    } else if (line.startsWith("#EXT-X-BYTERANGE:")) {
      range = rangeOf(line.slice(line.indexOf(":") + 1), nextByte);
      nextByte = range ? range.end + 1 : 0;
    } else if (!line.startsWith("#")) {
      pieces.push({ url: absolute(line, url), range });
      range = undefined;
    }
    if (pieces.length > MAX_PIECES)
      throw new MediaProblem("unsupported", `The stream has more than ${MAX_PIECES} pieces.`);
  }
  return { pieces, isFragmented };
}

/** `length@start`; without a start it continues where the last one ended. */
function rangeOf(text: string, nextByte: number): MediaPart["range"] {
  const [, length, start] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(text.trim()) ?? [];
  if (length === undefined || Number(length) === 0) return undefined;
  const first = start === undefined ? nextByte : Number(start);
  return { start: first, end: first + Number(length) - 1 };
}

function attributesOf(line: string): Readonly<Record<string, string>> {
  const attributes = line.slice(line.indexOf(":") + 1, MAX_ATTRIBUTES_LENGTH);
  const pairs = attributes.matchAll(/([A-Z0-9-]{1,50})=(?:"([^"]*)"|([^,]*))/g);
  return Object.fromEntries([...pairs].map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]));
}

function absolute(address: string, base: string): string {
  if (!URL.canParse(address, base))
    throw new MediaProblem("unsupported", "The playlist has an address that is none.");
  return new URL(address, base).href;
}
