import { signal } from "@preact/signals";

import type { LiveStatus } from "../../src/contract/operator/overview.ts";
import type { RequestEntry } from "../../src/contract/operator/requests.ts";
import type { JobEntry } from "../../src/contract/operator/jobs.ts";
import { ask } from "./ask.ts";
import { noteJob } from "./job-news.ts";

/** How long until another attempt, once the browser has given up by itself. */
const RETRY_MS = 2000;
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
/** Changes when what was shown may be out of date: after the service was away. */
export const era = signal(0);

/** Follows the service's events until the returned function is called. One stream serves the whole page. */
export function follow(): () => void {
  let source = open();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): EventSource {
    const opened = new EventSource("/admin/api/events");
    opened.addEventListener("open", () => {
      if (isCutOff.value) era.value += 1;
      isCutOff.value = false;
    });
    opened.addEventListener("status", ({ data }) => {
      seconds.value = [...seconds.value, JSON.parse(data) as LiveStatus].slice(-SECONDS);
    });
    opened.addEventListener("request", ({ data }) => addRequest(JSON.parse(data) as RequestEntry));
    opened.addEventListener("job", ({ data }) => noteJob(JSON.parse(data) as JobEntry));
    opened.addEventListener("session", () => (sessionChanges.value += 1));
    opened.addEventListener("reset", () => (era.value += 1));
    opened.addEventListener("error", () => {
      isCutOff.value = true;
      // A browser tries again by itself unless the answer was not a stream.
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(retry, RETRY_MS);
    });
    return opened;
  }

  function retry(): void {
    // Tells whether the login has ended, which a stream cannot.
    ask("GET /admin/session").catch(() => undefined);
    source = open();
  }

  return () => {
    clearTimeout(timer);
    source.close();
  };
}

function addRequest(entry: RequestEntry): void {
  const others = arrivals.value.filter(({ id }) => id !== entry.id);
  arrivals.value = [entry, ...others].slice(0, REQUESTS);
}
