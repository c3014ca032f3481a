import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";

type Stage = RequestAnswer["data"]["timings"][number];

/** What a part of the time went into; undefined: nothing that was measured. */
interface Slice {
  readonly name: string | undefined;
  readonly durationMs: number;
}

/** Shorter gaps are between two clocks. */
const GAP_MS = 1;

/**
 * The time of a request in parts that follow each other: where stages overlap, the one that began last counts. Old
 * requests, whose stages have no recorded start, show them one after the other.
 */
export function slicesOf(stages: readonly Stage[], totalMs: number): readonly Slice[] {
  const known = stages.flatMap(({ name, durationMs, startMs }) =>
    startMs === null ? [] : [{ name, startMs, endMs: startMs + durationMs }],
  );
  if (known.length === 0) {
    const sum = stages.reduce((all, { durationMs }) => all + durationMs, 0);
    const given = stages.map(({ name, durationMs }) => ({ name, durationMs }));
    return merged([...given, { name: undefined, durationMs: Math.max(0, totalMs - sum) }]);
  }
  const endMs = Math.max(totalMs, ...known.map((stage) => stage.endMs));
  const cuts = [...new Set([0, endMs, ...known.flatMap((stage) => [stage.startMs, stage.endMs])])];
  cuts.sort((a, b) => a - b);
  const slices = cuts.slice(1).map((untilMs, index): Slice => {
    const fromMs = cuts[index] ?? 0;
    const here = known.filter((stage) => stage.startMs <= fromMs && stage.endMs >= untilMs);
    const inner = here.toSorted((a, b) => b.startMs - a.startMs || a.endMs - b.endMs)[0];
    return { name: inner?.name, durationMs: untilMs - fromMs };
  });
  return merged(slices);
}

/** Neighbours of one name are merged. Unmeasured time too short to see is left out. */
function merged(slices: readonly Slice[]): readonly Slice[] {
  const found: Slice[] = [];
  for (const slice of slices) {
    if (slice.durationMs <= 0 || (slice.name === undefined && slice.durationMs < GAP_MS)) continue;
    const last = found.at(-1);
    if (last && last.name === slice.name)
      found[found.length - 1] = { ...last, durationMs: last.durationMs + slice.durationMs };
    else found.push(slice);
  }
  return found;
}
