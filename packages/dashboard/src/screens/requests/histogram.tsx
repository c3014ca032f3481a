import type { TargetedPointerEvent } from "preact";
import { useState } from "preact/hooks";

import { TableTwin } from "../../charts/table-twin.tsx";
import { stepName } from "../../charts/ticks.ts";
import { useAnswer } from "../../client/load.ts";
import { count } from "../../format/numbers.ts";
import { Panel } from "../../parts/page.tsx";
import { type Filter, queryOf, withPart } from "./filter.ts";

/** Of the picture, in its own units. */
const HEIGHT = 40;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Longer spans are drawn in days. */
const MAX_HOURS = 8 * 24;

interface HistogramProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** How many requests ended and failed when, of the team that the filter names. A span that is drawn over narrows the log. */
export function Histogram({ filter, onChange }: HistogramProps) {
  const { since, until, team } = queryOf(filter);
  const toMs = until === undefined ? Date.now() : Date.parse(until);
  const fromMs = since === undefined ? toMs - DAY_MS : Date.parse(since);
  const step = toMs - fromMs > MAX_HOURS * HOUR_MS ? "day" : "hour";
  const stepMs = step === "hour" ? HOUR_MS : DAY_MS;
  const whole = (timeMs: number) => new Date(Math.floor(timeMs / stepMs) * stepMs).toISOString();
  const loaded = useAnswer("GET /admin/api/usage", {
    query: { step, from: whole(fromMs), to: whole(toMs + stepMs), ...(team !== undefined && { team }) },
  });
  const series = loaded.data?.data.series ?? [];
  if (series.length === 0) return null;
  const failed = series.map((one) => one.failed);
  const worked = series.map(({ pages }, index) => Math.max(0, pages - (failed[index] ?? 0)));
  const choose = (from: number, to: number) => {
    const later = withPart(filter, "since", whole(from));
    onChange(withPart(later, "until", whole(to + stepMs)));
  };
  return (
    <Panel label="Requests over time" class="histogram">
      <Bars
        bars={series.map(({ start }, index) => ({
          name: stepName(start, step),
          startMs: Date.parse(start),
          worked: worked[index] ?? 0,
          failed: failed[index] ?? 0,
        }))}
        label={`Requests by ${step}: drawing over a span narrows the log to it`}
        onSpan={choose}
      />
      <p class="more help">
        {`By ${step}, at most ${count(Math.max(...series.map(({ pages }) => pages)))}. Draw over a span to narrow the log to it.`}
      </p>
      <TableTwin series={series} nameOf={(start) => stepName(start, step)} />
    </Panel>
  );
}

interface Bar {
  readonly name: string;
  readonly startMs: number;
  readonly worked: number;
  readonly failed: number;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** Called with the beginnings of the first and the last step. */
  readonly onSpan: (fromMs: number, toMs: number) => void;
}

/** Drawn without the library of the other charts, which would be half of this screen. */
function Bars({ bars, label, onSpan }: BarsProps) {
  const [drawn, setDrawn] = useState<readonly [from: number, to: number] | undefined>(undefined);
  const most = Math.max(1, ...bars.map(({ worked, failed }) => worked + failed));
  const at = ({ currentTarget, clientX }: TargetedPointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const [first, last] = [Math.min(...(drawn ?? [0])), Math.max(...(drawn ?? [0]))];
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      onPointerDown={(event) => setDrawn([at(event), at(event)])}
      onPointerMove={(event) => drawn && setDrawn([drawn[0], at(event)])}
      onPointerLeave={() => setDrawn(undefined)}
      onPointerUp={() => {
        if (drawn) onSpan(bars[first]?.startMs ?? 0, bars[last]?.startMs ?? 0);
        setDrawn(undefined);
      }}
    >
      {drawn && <rect class="drawn" x={first} y={0} width={last - first + 1} height={HEIGHT} />}
      {bars.map(({ name, startMs, worked, failed }, index) => {
        const [whole, bad] = [(HEIGHT * (worked + failed)) / most, (HEIGHT * failed) / most];
        return (
          <g key={startMs}>
            <title>{`${name}: ${count(worked)} succeeded, ${count(failed)} failed`}</title>
            <rect class="empty" x={index} y={0} width={1} height={HEIGHT} />
            <rect x={index + 0.1} y={HEIGHT - whole} width={0.8} height={whole - bad} />
            <rect class="bad" x={index + 0.1} y={HEIGHT - bad} width={0.8} height={bad} />
          </g>
        );
      })}
    </svg>
  );
}
