import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { plainly } from "../format/foreign.ts";
import { duration } from "../format/times.ts";
import { slicesOf } from "./time-slices.ts";

interface TimeSpentProps {
  readonly stages: RequestAnswer["data"]["timings"];
  /** Of the whole request. */
  readonly totalMs: number;
}

/** What is shorter is not drawn. */
const SHORTEST_MS = 0.5;

/** Where the time of a request went: a bar for each part, as long as it took, and one for what was not measured. */
export function TimeSpent({ stages, totalMs }: TimeSpentProps) {
  const slices = slicesOf(stages, totalMs).filter(({ durationMs }) => durationMs >= SHORTEST_MS);
  if (slices.length === 0) return null;
  const longest = Math.max(...slices.map(({ durationMs }) => durationMs));
  const named = slices.map(({ name = "not measured", durationMs }) => ({
    words: `${plainly(name)} ${duration(durationMs)}`,
    isMeasured: name !== "not measured",
    durationMs,
  }));
  return (
    <div
      class="spent"
      role="img"
      aria-label={`Where the time went: ${named.map(({ words }) => words).join(", ")}`}
    >
      {named.map(({ words, isMeasured, durationMs }, index) => (
        <div
          key={index}
          class={isMeasured ? "" : "unknown"}
          style={{ flexGrow: Math.max(durationMs, longest / 40) }}
          title={words}
        >
          <b />
          <span>{durationMs > totalMs / 10 && words}&nbsp;</span>
        </div>
      ))}
    </div>
  );
}
