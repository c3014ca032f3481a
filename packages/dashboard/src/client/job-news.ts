import { signal } from "@preact/signals";

import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";

/** How far a job was. */
interface Sample {
  readonly atMs: number;
  readonly pages: number;
}

/** So many jobs are remembered. */
const JOBS = 1000;
/** The speed of a job is that of so long. */
const SPAN_MS = 10_000;

/** Jobs as they are now, by id. */
export const jobs = signal<ReadonlyMap<string, JobEntry>>(new Map());
/** Grows when a job has moved on that was not known before. */
export const newJobs = signal(0);
const samples = new Map<string, readonly Sample[]>();

/** A job has moved on. */
export function noteJob(job: JobEntry): void {
  if (!jobs.value.has(job.id)) newJobs.value += 1;
  noteJobs([job]);
}

/** Jobs as they were just loaded. */
export function noteJobs(entries: readonly JobEntry[], nowMs = Date.now()): void {
  const known = new Map(jobs.value);
  for (const job of entries) {
    known.delete(job.id);
    known.set(job.id, job);
    const sample = { atMs: nowMs, pages: job.completed + job.failed };
    const recent = (samples.get(job.id) ?? []).filter(({ atMs }) => nowMs - atMs < SPAN_MS);
    samples.set(job.id, [...recent, sample]);
  }
  for (const id of [...known.keys()].slice(0, Math.max(0, known.size - JOBS))) {
    known.delete(id);
    samples.delete(id);
  }
  jobs.value = known;
}

/** Pages a second: of the last seconds while it runs, on average once it has ended. Undefined while that is not known. */
export function speedOf(job: JobEntry): number | undefined {
  const { id, completed, failed, createdAt, endedAt } = job;
  if (endedAt !== null) {
    const ms = Date.parse(endedAt) - Date.parse(createdAt);
    return ms > 0 ? ((completed + failed) * 1000) / ms : undefined;
  }
  const recent = samples.get(id) ?? [];
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || last.atMs - first.atMs < 1000) return undefined;
  return Math.max(0, ((last.pages - first.pages) * 1000) / (last.atMs - first.atMs));
}
