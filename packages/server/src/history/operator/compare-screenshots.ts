import { setImmediate as nextTurn } from "node:timers/promises";

import { z } from "zod";

import { Count } from "../../api/operator-fields.ts";

const Share = z.number().min(0).max(1);

export const Screenshots = z.strictObject({
  a: z.string().nullable(),
  b: z.string().nullable(),
  isSame: z.boolean().nullable(),
  differentPixels: Count.nullable(),
  totalPixels: Count.nullable(),
  region: z
    .strictObject({ left: Share, top: Share, right: Share, bottom: Share })
    .nullable()
    .describe(
      "Where they differ, in shares of the larger picture; null where they do not, or it is not known.",
    ),
});

type Screenshots = z.output<typeof Screenshots>;

export interface Picture {
  readonly link: string;
  /** Undefined when the file is gone. */
  readonly bytes: Buffer | undefined;
}

/** Larger pictures are not compared by pixels. */
const MAX_PIXELS = 20_000_000;
/** Rows that are compared before the loop yields to requests. */
const ROWS_AT_ONCE = 64;
/** Colours with a smaller difference look the same. */
const TOLERANCE = 8;

/** Compares two screenshots by their bytes and, if those differ, by their pixels. */
export async function compareScreenshots(
  a: Picture | undefined,
  b: Picture | undefined,
): Promise<Screenshots | null> {
  if (!a && !b) return null;
  const links = { a: a?.bytes ? a.link : null, b: b?.bytes ? b.link : null };
  const unknown = { ...links, isSame: null, differentPixels: null, totalPixels: null, region: null };
  if (!a?.bytes || !b?.bytes) return unknown;
  const counted = await countPixels(a.bytes, b.bytes).catch(() => undefined);
  if (!counted) return unknown;
  return { ...links, isSame: counted.differentPixels === 0, ...counted };
}

async function countPixels(a: Buffer, b: Buffer) {
  const [first, second] = [await decode(a), await decode(b)];
  const [width, height] = [Math.max(first.width, second.width), Math.max(first.height, second.height)];
  const shared = {
    width: Math.min(first.width, second.width),
    height: Math.min(first.height, second.height),
  };
  let same = 0;
  const edge = { left: width, top: height, right: 0, bottom: 0 };
  // What only one of them has is different.
  if (shared.width < width) widen(edge, { left: shared.width, top: 0, right: width, bottom: height });
  if (shared.height < height) widen(edge, { left: 0, top: shared.height, right: width, bottom: height });
  for (let y = 0; y < shared.height; y += 1) {
    if (y % ROWS_AT_ONCE === 0) await nextTurn();
    for (let x = 0; x < shared.width; x += 1) {
      if (isSame(first, second, { x, y })) same += 1;
      else widen(edge, { left: x, top: y, right: x + 1, bottom: y + 1 });
    }
  }
  const differentPixels = width * height - same;
  const region = {
    left: edge.left / width,
    top: edge.top / height,
    right: edge.right / width,
    bottom: edge.bottom / height,
  };
  return { differentPixels, totalPixels: width * height, region: differentPixels === 0 ? null : region };
}

type Edge = Record<"left" | "top" | "right" | "bottom", number>;

function widen(edge: Edge, { left, top, right, bottom }: Readonly<Edge>): void {
  edge.left = Math.min(edge.left, left);
  edge.top = Math.min(edge.top, top);
  edge.right = Math.max(edge.right, right);
  edge.bottom = Math.max(edge.bottom, bottom);
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function decode(bytes: Buffer): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS });
  const { data, info } = await image
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function isSame(a: Pixels, b: Pixels, { x, y }: { readonly x: number; readonly y: number }): boolean {
  const [first, second] = [3 * (y * a.width + x), 3 * (y * b.width + x)];
  for (let channel = 0; channel < 3; channel += 1) {
    const difference = (a.data[first + channel] ?? 0) - (b.data[second + channel] ?? 0);
    if (Math.abs(difference) > TOLERANCE) return false;
  }
  return true;
}
