import type { OverviewAnswer } from "@pergamon-dev/server/operator/overview";
import { changeOf, count, percent } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Panel } from "../../parts/page.tsx";

interface KeyFiguresProps {
  readonly overview: OverviewAnswer["data"];
  readonly days: number;
}

/** Four figures that tell how the span went. */
export function KeyFigures({ overview: { total, previous, from }, days }: KeyFiguresProps) {
  const since = encodeURIComponent(from);
  const span = days === 1 ? "24 h" : `${days} days`;
  return (
    <Panel label={`Last ${span}`} class="figures">
      <div>
        <span class="dim">Pages, {span}</span>
        <b>{count(total.pages)}</b>
        <span class="faint">{changeOf(total.pages, previous.pages)}</span>
      </div>
      <div>
        <span class="dim">Succeeded</span>
        <b>{percent(total.pages - total.failed, total.pages)}</b>
        <span class="faint">
          <a class="link" href={`/dashboard/requests?result=failed&since=${since}`}>
            {`${count(total.failed)} failed`}
          </a>
          {total.refused > 0 && (
            <>
              {", "}
              <a class="link" href={`/dashboard/requests?result=refused&since=${since}`}>
                {`${count(total.refused)} refused`}
              </a>
            </>
          )}
        </span>
      </div>
      <div>
        <span class="dim">Median time</span>
        <b>{total.p50Ms === null ? "–" : duration(total.p50Ms)}</b>
        <span class="faint">
          {total.p95Ms === null
            ? "no data yet"
            : `p95 ${duration(total.p95Ms)}, ${percent(total.cacheHits, total.pages)} from cache`}
        </span>
      </div>
      <div>
        <span class="dim">Credits used</span>
        <b>{count(total.credits)}</b>
        <span class="faint">{changeOf(total.credits, previous.credits)}</span>
      </div>
    </Panel>
  );
}
