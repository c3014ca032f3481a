/** Part of a body, both ends included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part that a `Range` header asks for (RFC 9110, section 14). Undefined when the whole is to be sent: there is no
 * such header, it is of another kind, or it names several parts. `unsatisfiable` when there is no such part.
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
