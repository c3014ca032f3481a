const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });
const share = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** `18,402`. */
export function count(value: number): string {
  return whole.format(value);
}

/** `12.3k`, for places without room. */
export function shortCount(value: number): string {
  return short.format(value).toLowerCase();
}

/** `1 credit`, `5 credits`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `98.7 %`; a dash when there is nothing to divide. */
export function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${share.format((100 * part) / all)} %`;
}

/** `12.3`, of something that happens so often a second. */
export function perSecond(value: number): string {
  return share.format(value);
}

/** `€26.00`; amounts below a hundredth have six digits after the point. */
export function money(amount: number, currency: string): string {
  const isSmall = amount > 0 && amount < 0.01;
  const digits = isSmall ? { maximumFractionDigits: 6 } : {};
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, ...digits }).format(amount);
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `412 MB`; a thousand bytes are a kB. */
export function bytes(size: number): string {
  let [value, power] = [size, 0];
  // What is rounded to a thousand of one unit is one of the next.
  while (Math.round(value) >= 1000 && power < BYTE_UNITS.length - 1)
    [value, power] = [value / 1000, power + 1];
  const hasFraction = power > 0 && value < 9.95;
  return `${hasFraction ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[power]}`;
}

/** How much something has grown since the period before. */
export function changeOf(now: number, before: number): string {
  if (before === 0) return "no data for the previous period";
  if (now >= 10 * before) return `↑ ${count(now / before)} × the previous period`;
  const growth = Math.round((100 * (now - before)) / before);
  if (growth === 0) return "same as the previous period";
  return `${growth > 0 ? "↑" : "↓"} ${Math.abs(growth)} % against the previous period`;
}
