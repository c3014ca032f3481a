import { signal } from "@preact/signals";

import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import type { LiveStatus } from "@pergamon-dev/server/operator/overview";
import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { ask } from "./ask.ts";
import { followEvents } from "./events.ts";
import { noteJob } from "./job-news.ts";

/** So many seconds of "right now" are shown. */
const SECONDS = 90;
/** So many requests are remembered that came while the page was open. */
const REQUESTS = 50;

/** How the service does, newest last; empty until the first second has passed. */
export const seconds = signal<readonly LiveStatus[]>([]);
/** Requests that ended while the page was open, newest first. */
export const arrivals = signal<readonly RequestEntry[]>([]);
/** Whether the service has stopped answering. */
export const isCutOff = signal(false);
/** Grows when a browser session has begun or ended. */
export const sessionChanges = signal(0);
/** Changes when what was shown may be out of date: after the service was away, or this tab was hidden. */
export const era = signal(0);

/** What each event means. */
const MEANINGS: Readonly<Record<string, (data: string) => void>> = {
  open() {
    if (isCutOff.value) era.value += 1;
    isCutOff.value = false;
  },
  error: () => (isCutOff.value = true),
  back: () => (era.value += 1),
  reset: () => (era.value += 1),
  status(data) {
    isCutOff.value = false;
    seconds.value = [...seconds.value, JSON.parse(data) as LiveStatus].slice(-SECONDS);
  },
  request: (data) => addRequest(JSON.parse(data) as RequestEntry),
  job: (data) => noteJob(JSON.parse(data) as JobEntry),
  session: () => (sessionChanges.value += 1),
};

/** Follows the service's events until the returned function is called. One stream serves all tabs. */
export function follow(): () => void {
  // Tells whether the login has ended, which a stream cannot.
  const onLost = () => void ask("GET /admin/session").catch(() => undefined);
  return followEvents(({ event, data }) => MEANINGS[event]?.(data), onLost);
}

function addRequest(entry: RequestEntry): void {
  const others = arrivals.value.filter(({ id }) => id !== entry.id);
  arrivals.value = [entry, ...others].slice(0, REQUESTS);
}
