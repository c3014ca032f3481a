import { count } from "../format/numbers.ts";
import { duration } from "../format/times.ts";
import type { Figures } from "../../src/contract/operator/overview.ts";

interface TableTwinProps {
  readonly series: readonly (Figures & { readonly start: string })[];
  readonly nameOf: (start: string) => string;
}

/** The figures of a chart as a table, newest first: for who reads by ear, and for exact numbers. */
export function TableTwin({ series, nameOf }: TableTwinProps) {
  return (
    <details class="twin">
      <summary>Data as a table</summary>
      <div class="scrolls" role="region" aria-label="Figures" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th class="num">Pages</th>
              <th class="num">Failed</th>
              <th class="num wide-only">From cache</th>
              <th class="num">Credits</th>
              <th class="num">p50</th>
              <th class="num">p95</th>
            </tr>
          </thead>
          <tbody>
            {series.toReversed().map(({ start, pages, failed, cacheHits, credits, p50Ms, p95Ms }) => (
              <tr key={start}>
                <td class="one-line">{nameOf(start)}</td>
                <td class="num">{count(pages)}</td>
                <td class="num">{count(failed)}</td>
                <td class="num wide-only">{count(cacheHits)}</td>
                <td class="num">{count(credits)}</td>
                <td class="num">{p50Ms === null ? "–" : duration(p50Ms)}</td>
                <td class="num">{p95Ms === null ? "–" : duration(p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
