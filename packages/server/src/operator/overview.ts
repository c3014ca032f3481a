import { type LiveStatus, type OverviewAnswer, readOverview } from "./overview-shapes.ts";
import { defineOperation } from "../api/operation.ts";
import type { Figures } from "../history/figures/figures.ts";
import { spansMs } from "../history/figures/figure-spans.ts";
import type { RequestFilter, RequestPage } from "../history/record-search.ts";
import { pagesOf, seriesOf, startOf, sumFigures } from "./usage/figure-sums.ts";
import { showRequest } from "../history/operator/show-request.ts";

export interface OverviewServices {
  readonly figures: Figures;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly now: () => LiveStatus;
  readonly clock: () => number;
}

const LATEST = 10;

/** What an operator sees first. */
export const overview = defineOperation({
  ...readOverview,
  handle: async ({ query: { days } }, services: OverviewServices) => ({
    success: true,
    data: await overviewOf(days, services),
  }),
});

async function overviewOf(
  days: number,
  { figures, requests, now, clock }: OverviewServices,
): Promise<OverviewAnswer["data"]> {
  const nowMs = clock();
  const step = days === 1 ? "hour" : "day";
  // The last of the steps is under way: a day is the hours before this moment, not what is over of today.
  const toMs = startOf(nowMs, step) + spansMs[step];
  const fromMs = toMs - days * spansMs.day;
  const span = { span: step, fromMs, toMs } as const;
  const hour = lastHourOf(nowMs);
  const rows = await figures.read({ ...span, fromMs: fromMs - days * spansMs.day });
  const minutes = await figures.read(hour);
  const { data: latest } = await requests({ limit: LATEST });
  const present = rows.filter(({ startMs }) => startMs >= fromMs);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    step,
    total: sumFigures(present),
    previous: sumFigures(rows.filter(({ startMs }) => startMs < fromMs)),
    days: [...seriesOf(present, span, sumFigures)],
    lastHour: [
      ...seriesOf(minutes, hour, (found) => ({
        pages: pagesOf(found, "all"),
        failed: pagesOf(found, "failed"),
      })),
    ],
    now: now(),
    latest: latest.map(showRequest),
  };
}

function lastHourOf(nowMs: number) {
  const toMs = startOf(nowMs, "minute") + spansMs.minute;
  return { span: "minute", fromMs: toMs - spansMs.hour, toMs } as const;
}
