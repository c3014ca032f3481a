import SSF from "ssf";

/** In characters, as in Excel: each cell takes the time of its whole format. */
const MAX_LENGTH = 255;

/**
 * A format by its number and, if the file defines it, its code. Undefined for formats that show a number as it is,
 * for those of dates, which the engine writes, and for longer ones than Excel takes.
 */
export function numberFormat(id: number, code: string | undefined): string | undefined {
  const format = code ?? SSF.get_table()[id];
  const isPlain =
    typeof format !== "string" ||
    format.length > MAX_LENGTH ||
    /^(?:general|@|0)$/i.test(format) ||
    SSF.is_date(format);
  return isPlain ? undefined : format;
}

/** A number as Excel shows it. Digits that its format drops stay: the number alone, or with its per cent sign. */
export function formatted(value: number, format: string): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  let shown: string;
  try {
    shown = SSF.format(format, value).replace(/\s+/g, " ").trim();
  } catch {
    return undefined;
  }
  if (shown === "" || digitsOf(shown) === digitsOf(String(Number(value.toPrecision(15))))) return shown;
  return shown.endsWith("%") ? `${Number((value * 100).toPrecision(15))}%` : undefined;
}

/** Its digits, without zeros at either end and without the exponent. */
function digitsOf(text: string): string {
  return text
    .replace(/E[+-]?\d+/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
}
