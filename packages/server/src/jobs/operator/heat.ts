import { z } from "zod";

import { DAY, success } from "../../api/example-values.ts";
import { defineOperation } from "../../api/operation.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import type { Records } from "../../history/records.ts";
import type { Statements } from "../../storage/database/database.ts";
import type { Job } from "../job-rows.ts";
import type { JobStores } from "../job-store.ts";
import { iso, jobIdPart, openJobNamed } from "./show-job.ts";

/** `GET /admin/api/jobs/{id}/heat`. */
export const HeatAnswer = () =>
  answerOf(
    z.strictObject({
      since: Time.describe("Beginning of the first step."),
      stepMs: Count.describe("Length of a step in milliseconds."),
      isWhole: z.boolean().describe("False: of a large job, only its latest pages are counted."),
      hosts: z
        .array(
          z.strictObject({
            host: z.string().nullable().describe("Null: all other hosts."),
            pages: z.array(Count).describe("Begun in each step."),
            failed: z.array(Count).describe("Of these pages."),
          }),
        )
        .describe("Those with most pages first."),
    }),
  );

export type HeatAnswer = z.output<ReturnType<typeof HeatAnswer>>;
type Heat = HeatAnswer["data"];

const MAX_PAGES = 10_000;
const MAX_HOSTS = 12;
const MAX_STEPS = 24;
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
/** Steps that people count in: parts of a minute, of an hour, of a day and of a month. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS),
];

export const jobHeat = defineOperation({
  ...forOperator,
  line: "GET /admin/api/jobs/{id}/heat",
  summary: "Count the pages of a job by host and time",
  params: { id: jobIdPart },
  answer: defineShape("OperatorJobHeat", HeatAnswer, {
    success,
    data: {
      since: DAY,
      stepMs: HOUR_MS,
      isWhole: true,
      hosts: [{ host: "example.com", pages: [8, 4], failed: [1, 0] }],
    },
  }),
  errors: [403, 404],
  async handle(
    { params: { id } },
    { stores, records }: { readonly stores: JobStores; readonly records: Pick<Records, "flush"> },
  ) {
    await records.flush();
    const { job, store } = await openJobNamed(id, stores);
    return { success: true, data: await readHeat(store.database, job, store.clock.now()) };
  },
});

/** @param maxPages of more pages, the oldest are left out. */
export async function readHeat(
  statements: Statements,
  job: Pick<Job, "id" | "createdAtMs" | "endedAtMs">,
  nowMs: number,
  maxPages = MAX_PAGES,
): Promise<Heat> {
  const leftOut = await statements
    .prepared<{ id: string; createdAtMs: number }>(
      `SELECT id, created_at AS "createdAtMs" FROM scrapes WHERE parent_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?`,
    )
    .get(job.id, maxPages);
  const steps = stepsOf(leftOut?.createdAtMs ?? job.createdAtMs, job.endedAtMs ?? nowMs);
  const { sinceMs, stepMs } = steps;
  const rows = await statements
    .prepared<CountedPages>(
      `SELECT host, CAST((created_at - ?) / ? AS integer) AS step, count(*) AS pages,
         count(CASE WHEN status = 'failed' THEN 1 END) AS failed
       FROM scrapes WHERE parent_id = ? AND id > ? GROUP BY host, step`,
    )
    .all(sinceMs, stepMs, job.id, leftOut?.id ?? "");
  return { since: iso(sinceMs), stepMs, isWhole: leftOut === undefined, hosts: hostsOf(rows, steps.count) };
}

interface Steps {
  readonly sinceMs: number;
  readonly stepMs: number;
  readonly count: number;
}

/** The shortest steps that fit. They begin where a clock shows round times. */
function stepsOf(fromMs: number, toMs: number): Steps {
  const of = (stepMs: number) => {
    const first = Math.floor(fromMs / stepMs);
    return { sinceMs: first * stepMs, stepMs, count: Math.max(1, Math.floor(toMs / stepMs) - first + 1) };
  };
  const fitting = STEPS_MS.map(of).find(({ count }) => count <= MAX_STEPS);
  return fitting ?? of(Math.ceil((toMs - fromMs) / (MAX_STEPS - 1)));
}

interface CountedPages {
  readonly host: string | null;
  readonly step: number;
  readonly pages: number;
  readonly failed: number;
}

function hostsOf(rows: readonly CountedPages[], count: number): Heat["hosts"] {
  const totals = new Map<string, number>();
  for (const { host, pages } of rows) if (host !== null) totals.set(host, (totals.get(host) ?? 0) + pages);
  const byPages = [...totals].toSorted(([, one], [, other]) => other - one).map(([host]) => host);
  const named = byPages.slice(0, byPages.length > MAX_HOSTS ? MAX_HOSTS - 1 : MAX_HOSTS);
  const hosts = new Map<string | null, Heat["hosts"][number]>();
  const none = () => Array.from({ length: count }, () => 0);
  for (const host of [...named, null]) hosts.set(host, { host, pages: none(), failed: none() });
  for (const row of rows) {
    const host = hosts.get(row.host) ?? hosts.get(null);
    // The clocks of two machines differ.
    const step = Math.min(count - 1, Math.max(0, row.step));
    if (!host) continue;
    host.pages[step] = (host.pages[step] ?? 0) + row.pages;
    host.failed[step] = (host.failed[step] ?? 0) + row.failed;
  }
  return [...hosts.values()].filter(({ pages }) => pages.some((some) => some > 0));
}
