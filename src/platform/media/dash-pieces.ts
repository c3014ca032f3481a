import { ownProperty } from "../../kit/own-property.ts";
import { childrenOf, type DashElement, resolveAddress, elementText } from "./dash-element.ts";
import type { MediaPart } from "./media-download.ts";
import { MediaProblem } from "./media-problem.ts";

const MAX_PIECES = 6000;

interface StreamPlace {
  readonly base: string;
  readonly seconds: number;
}

/**
 * The pieces of a stream, its beginning first.
 * @param line the elements from the manifest down to the representation: the lowest that says something counts.
 */
export function dashPieces(line: readonly DashElement[], place: StreamPlace): readonly MediaPart[] {
  const template = merged(line, "SegmentTemplate");
  if (template) return templatePieces(template, line.at(-1) ?? {}, place);
  const list = merged(line, "SegmentList");
  if (list) return listPieces(list, place);
  return [{ url: place.base }];
}

/** The element of this name, with what the ones above it say and it does not. */
function merged(line: readonly DashElement[], name: string): DashElement | undefined {
  const found = line.flatMap((element) => childrenOf(element, name).slice(0, 1));
  return found.length > 0 ? Object.assign({}, ...found) : undefined;
}

function listPieces(list: DashElement, { base }: StreamPlace): readonly MediaPart[] {
  const [start] = childrenOf(list, "Initialization");
  const pieces = childrenOf(list, "SegmentURL");
  refuseTooMany(pieces.length);
  const first = start
    ? [{ url: resolveAddress(elementText(start["sourceURL"]), base), range: rangeOf(start["range"]) }]
    : [];
  return [
    ...first,
    ...pieces.map((piece) => ({
      url: resolveAddress(elementText(piece["media"]), base),
      range: rangeOf(piece["mediaRange"]),
    })),
  ];
}

function rangeOf(value: DashElement[string]): MediaPart["range"] {
  const [, start, end] = /^(\d{1,15})-(\d{1,15})$/.exec(elementText(value) ?? "") ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end) };
}

function templatePieces(
  template: DashElement,
  representation: DashElement,
  place: StreamPlace,
): readonly MediaPart[] {
  const media = elementText(template["media"]);
  if (media === undefined) throw new MediaProblem("unsupported", "The manifest names no pieces.");
  const startNumber = Number(elementText(template["startNumber"]) ?? 1);
  const times = timesOf(template, place.seconds);
  const start = elementText(template["initialization"]);
  const fill = (text: string, values: Readonly<Record<string, string | number>>): MediaPart => ({
    url: resolveAddress(
      filled(text, {
        RepresentationID: elementText(representation["id"]) ?? "",
        Bandwidth: elementText(representation["bandwidth"]) ?? "",
        ...values,
      }),
      place.base,
    ),
  });
  return [
    ...(start === undefined ? [] : [fill(start, {})]),
    ...times.map((time, at) => fill(media, { Number: startNumber + at, Time: time })),
  ];
}

/** When each piece starts, in units of the stream. */
function timesOf(template: DashElement, seconds: number): readonly number[] {
  const [timeline] = childrenOf(template, "SegmentTimeline");
  if (timeline) return timelineTimes(timeline);
  const duration =
    Number(elementText(template["duration"]) ?? 0) / Number(elementText(template["timescale"]) ?? 1);
  if (!(duration > 0) || seconds <= 0)
    throw new MediaProblem("unsupported", "The manifest does not say where the stream ends.");
  const count = Math.ceil(seconds / duration);
  refuseTooMany(count);
  return Array.from({ length: count }, (_, at) => at * Number(elementText(template["duration"])));
}

function timelineTimes(timeline: DashElement): readonly number[] {
  const times: number[] = [];
  let time = 0;
  for (const entry of childrenOf(timeline, "S")) {
    time = Number(elementText(entry["t"]) ?? time);
    const repeats = Number(elementText(entry["r"]) ?? 0);
    if (repeats < 0)
      throw new MediaProblem("unsupported", "The manifest does not say where the stream ends.");
    refuseTooMany(times.length + repeats);
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      times.push(time);
      time += Number(elementText(entry["d"]) ?? 0);
    }
  }
  return times;
}

function refuseTooMany(count: number): void {
  if (count <= MAX_PIECES) return;
  throw new MediaProblem("unsupported", `The stream has more than ${MAX_PIECES} pieces.`);
}

/** `$Number%05d$` and the like; `$$` is a dollar. */
function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\$(?:(\w{1,30})(?:%0(\d{1,2})d)?)?\$/g, (_whole, name?: string, width?: string) =>
    name === undefined ? "$" : String(ownProperty(values, name) ?? "").padStart(Number(width ?? 0), "0"),
  );
}
