import { dayOf, hourOf } from "../format/times.ts";

export type Step = "hour" | "day";

const [HOUR, DAY] = [3600, 86_400];

/** Seconds that may lie between two ticks, so that no two of them have the same name. */
export const TICK_SECONDS: Readonly<Record<Step, number[]>> = {
  hour: [HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY],
  day: [DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY],
};

/** `14:00`, and the day where one begins. @param ticks in seconds. */
export function tickNames(ticks: readonly number[], step: Step): string[] {
  if (step === "day") return ticks.map((tick) => dayOf(tick * 1000));
  return ticks.map((tick) => {
    const hour = hourOf(tick * 1000);
    return hour === "00:00" ? dayOf(tick * 1000, "local") : hour;
  });
}

/** `24 Oct`, or `24 Oct, 14:00` of an hour. */
export function stepName(start: string, step: Step): string {
  return step === "day" ? dayOf(start) : `${dayOf(start, "local")}, ${hourOf(start)}`;
}
