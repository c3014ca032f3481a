/** Larger files are not looked at. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** A sheet of A3 at 600 dpi has 70 million pixels in colour; text is read well from half of that. */
const MAX_PIXELS = 60_000_000;
const MAX_SIDE_LENGTH = 30_000;

/** Why a picture is not decoded, in words; undefined when it may be. What its header says decides. */
export function pictureProblem({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): string | undefined {
  if (width * height > MAX_PIXELS) return `it has more than ${MAX_PIXELS / 1e6} million pixels`;
  return Math.max(width, height) > MAX_SIDE_LENGTH
    ? `a side is longer than ${MAX_SIDE_LENGTH} pixels`
    : undefined;
}
