import type { SpanFigures } from "@pergamon-dev/server/operator/usage/figure-sums";
import { count } from "../format/numbers.ts";
import { duration } from "../format/times.ts";
import { type Column, Table } from "../parts/table.tsx";

type Point = SpanFigures & { readonly start: string };

interface TableTwinProps {
  readonly series: readonly Point[];
  readonly nameOf: (start: string) => string;
}

/** The figures of a chart as a table, newest first: for who reads by ear, and for exact numbers. */
export function TableTwin({ series, nameOf }: TableTwinProps) {
  return (
    <details class="twin">
      <summary>Data as a table</summary>
      <Table
        label="Figures"
        frame={{ class: "scrolls" }}
        columns={[{ heading: "When", class: "one-line", cell: ({ start }) => nameOf(start) }, ...COLUMNS]}
        rows={series.toReversed()}
        keyOf={({ start }) => start}
      />
    </details>
  );
}

const COLUMNS: readonly Column<Point>[] = [
  { heading: "Pages", kind: "number", cell: ({ pages }) => count(pages) },
  { heading: "Failed", kind: "number", cell: ({ failed }) => count(failed) },
  { heading: "From cache", kind: "number", from: "wide", cell: ({ cacheHits }) => count(cacheHits) },
  { heading: "Credits", kind: "number", cell: ({ credits }) => count(credits) },
  { heading: "p50", kind: "number", cell: ({ p50Ms }) => (p50Ms === null ? "–" : duration(p50Ms)) },
  { heading: "p95", kind: "number", cell: ({ p95Ms }) => (p95Ms === null ? "–" : duration(p95Ms)) },
];
