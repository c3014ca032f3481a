import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { speedOf } from "../client/job-news.ts";
import { plainly } from "../format/foreign.ts";
import { count, perSecond, plural } from "../format/numbers.ts";
import { Badge } from "./badge.tsx";
import { shortUrl } from "./request-marks.tsx";

const ENDED = { completed: "ok", cancelled: "warn", failed: "bad" } as const;

/** Whether a job runs, and how it ended. */
export function JobState({ job: { state, completed, failed, running } }: { readonly job: JobEntry }) {
  if (state !== "scraping") return <Badge tone={ENDED[state]}>{state}</Badge>;
  const isWaiting = completed + failed + running === 0;
  return <Badge tone={isWaiting ? "info" : "accent"}>{isWaiting ? "waiting" : "running"}</Badge>;
}

/** How far a job is. */
export function Progress({ job: { kind, completed, failed, total } }: { readonly job: JobEntry }) {
  // The number of steps of an agent is not known in advance.
  if (kind === "agent") return <span class="faint">{plural(completed, "step")}</span>;
  const made = completed + failed;
  const words = `${count(made)} of ${count(total)}`;
  return (
    <span class="done-of">
      <progress max={Math.max(total, 1)} value={made} aria-label={`${words} pages`} />
      <span class="faint">{words}</span>
    </span>
  );
}

export function Speed({ job }: { readonly job: JobEntry }) {
  // Agents make steps, and no pages of their own.
  const speed = job.kind === "agent" ? undefined : speedOf(job);
  return <>{speed === undefined ? "–" : perSecond(speed)}</>;
}

/** `batch_scrape` → `Batch scrape`. */
export function kindInWords(kind: string): string {
  const words = plainly(kind).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a job is recognised by. */
export function jobName({ firstUrl, question, isPrivate, id }: JobEntry): string {
  if (isPrivate) return "zero data retention";
  if (question !== null) return plainly(question);
  return firstUrl === null ? plainly(id) : shortUrl(firstUrl);
}
