import { XMLParser } from "fast-xml-parser";

import { childrenOf, type DashElement, resolveAddress, elementText } from "./dash-element.ts";
import { dashPieces } from "./dash-pieces.ts";
import type { MediaPart } from "./media-download.ts";
import { MediaProblem } from "./media-problem.ts";

/** One stream of a manifest, such as its pictures in one size. */
export interface DashStream {
  readonly type: "audio" | "video";
  readonly bandwidth: number;
  readonly pieces: readonly MediaPart[];
}

/** XML takes some 200 ms a million characters, on the main thread. */
const MANIFEST_CHARACTERS = 1_000_000;

/**
 * The best stream of each type that a manifest offers (ISO/IEC 23009-1).
 * @throws MediaProblem for streams that never end, are encrypted or have too many pieces, and for what is not a manifest.
 */
export function readDash(text: string, url: string): readonly DashStream[] {
  const [mpd] = childrenOf(parse(text), "MPD");
  const [period, ...more] = mpd ? childrenOf(mpd, "Period") : [];
  if (!mpd || !period) throw new MediaProblem("unsupported", "The manifest cannot be read.");
  if (mpd["type"] === "dynamic")
    throw new MediaProblem("unsupported", "The stream is live: it does not end.");
  if (more.length > 0) throw new MediaProblem("unsupported", "The stream has several periods.");
  const seconds = secondsOf(elementText(period["duration"]) ?? elementText(mpd["mediaPresentationDuration"]));
  const streams = childrenOf(period, "AdaptationSet").flatMap((set) =>
    streamsOf(set, [mpd, period], { url, seconds }),
  );
  return (["video", "audio"] as const).flatMap((type) =>
    best(streams.filter((stream) => stream.type === type)),
  );
}

interface Place {
  readonly url: string;
  readonly seconds: number;
}

function streamsOf(
  set: DashElement,
  above: readonly DashElement[],
  { url, seconds }: Place,
): readonly DashStream[] {
  const representations = childrenOf(set, "Representation");
  return representations.flatMap((representation) => {
    const line = [...above, set, representation];
    const type = /^(audio|video)\b/.exec(
      elementText(set["contentType"]) ??
        elementText(representation["mimeType"]) ??
        elementText(set["mimeType"]) ??
        "",
    )?.[1];
    if (type !== "audio" && type !== "video") return [];
    if (line.some((element) => childrenOf(element, "ContentProtection").length > 0))
      throw new MediaProblem("unsupported", "The stream is encrypted.");
    const base = line.reduce((from, element) => resolveAddress(baseOf(element), from), url);
    const bandwidth = Number(elementText(representation["bandwidth"]) ?? 0);
    return [{ type, bandwidth, pieces: dashPieces(line, { base, seconds }) }];
  });
}

function best(streams: readonly DashStream[]): readonly DashStream[] {
  return streams.toSorted((a, b) => b.bandwidth - a.bandwidth).slice(0, 1);
}

/** Every element is a list, so that one is read like several. Entities are left alone: they can explode. */
function parse(text: string): DashElement {
  if (text.length > MANIFEST_CHARACTERS) throw new MediaProblem("unsupported", "The manifest is too large.");
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
    removeNSPrefix: true,
    isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  });
  try {
    return parser.parse(text) as DashElement;
  } catch (cause) {
    throw new MediaProblem("unsupported", "The manifest cannot be read.", { cause });
  }
}

function baseOf(element: DashElement): string | undefined {
  const [base] = childrenOf(element, "BaseURL") as readonly (DashElement | string)[];
  return typeof base === "string" ? base : elementText(base?.["#text"]);
}

/** `PT1H2M3.5S`; 0 when it says nothing. */
function secondsOf(duration = ""): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:0D)?T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
