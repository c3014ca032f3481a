const MAX_LENGTH = 200;
/** Each may cost as much as the text is long. */
const MAX_UNBOUNDED = 2;

/**
 * The expression that a schema gives for values, where its time cannot explode: nothing repeats a group, refers back or
 * looks around, and hardly anything repeats without end. Others are not checked: undefined.
 */
export function safePattern(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== "string" || pattern.length > MAX_LENGTH) return undefined;
  const plain = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  const isNested = /\)\s*(?:[*+?]|\{)|\\[1-9k]|\(\?[=!<]/.test(plain);
  const unbounded = plain.match(/[*+]|\{\d*,\}/g)?.length ?? 0;
  const bounds = (plain.match(/\d+(?=\})/g) ?? []).map(Number);
  if (isNested || unbounded > MAX_UNBOUNDED || bounds.some((bound) => bound > 99)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
