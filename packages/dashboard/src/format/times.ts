const DAY_MS = 24 * 60 * 60 * 1000;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayUtc = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** How long something took: `38 ms`, `2.36 s`, `1 min 4 s`, `3 h 20 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return "< 1 ms";
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9995) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds < 99_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `14:02:11`, with the day before it unless it is within a day from now. */
export function moment(iso: string, nowMs = Date.now()): string {
  const date = new Date(iso);
  const time = clock.format(date);
  return Math.abs(nowMs - date.getTime()) < DAY_MS ? time : `${day.format(date)} ${time}`;
}

/** Day and time in full, for titles. */
export function exactly(iso: string): string {
  return exact.format(new Date(iso));
}

/** `24 Oct` of a day that begins at midnight: UTC, as figures are counted, unless it is the reader's own. */
export function dayOf(iso: string | number, zone: "utc" | "local" = "utc"): string {
  return (zone === "utc" ? dayUtc : day).format(new Date(iso));
}

/** `14:00`. */
export function hourOf(iso: string | number): string {
  return hour.format(new Date(iso));
}

/** How long something has been: `4 min`, `3 h`, `2 days`. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
