import type { FastifyInstance } from "fastify";

import { type Now, type OverviewAnswer, OverviewQuery } from "../contract/operator/overview.ts";
import type { Figures } from "../stores/figures/figures.ts";
import { spansMs } from "../stores/figures/figure-rows.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import { pagesOf, seriesOf, startOf, sumFigures } from "./figure-sums.ts";
import { showRequest } from "./show-request.ts";

export interface OverviewRoutes {
  readonly figures: Figures;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly now: () => Now;
  readonly clock: () => number;
}

const LATEST = 10;

/** What an operator sees first. */
export function addOverviewRoute(app: FastifyInstance, routes: OverviewRoutes): void {
  app.get("/admin/api/overview", async ({ query }): Promise<OverviewAnswer> => {
    const { days } = OverviewQuery.parse(query);
    return { success: true, data: await overviewOf(days, routes) };
  });
}

async function overviewOf(
  days: number,
  { figures, requests, now, clock }: OverviewRoutes,
): Promise<OverviewAnswer["data"]> {
  const nowMs = clock();
  const toMs = startOf(nowMs, "day") + spansMs.day;
  const fromMs = toMs - days * spansMs.day;
  const span = { span: "day", fromMs, toMs } as const;
  const hour = lastHourOf(nowMs);
  const rows = await figures.read({ ...span, fromMs: fromMs - days * spansMs.day });
  const minutes = await figures.read(hour);
  const { data: latest } = await requests({ limit: LATEST });
  const present = rows.filter(({ startMs }) => startMs >= fromMs);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(nowMs).toISOString(),
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
