/** Part of a body, both ends included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part that a `Range` header requests (RFC 9110, section 14). It is undefined when the whole body
 * is to be sent: the header is missing, of another unit, or names several parts. `unsatisfiable` means that
 * the part does not exist.
 */
export function byteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const range =
    first === ""
      ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 }
      : { start: Number(first), end: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return range.start > range.end ? "unsatisfiable" : range;
}
