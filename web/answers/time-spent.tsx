import { duration } from "../format/times.ts";

interface Stage {
  readonly name: string;
  readonly durationMs: number;
}

/** Where the time of a request went: a bar for each stage, as long as it took. */
export function TimeSpent({ stages }: { readonly stages: readonly Stage[] }) {
  const taken = stages.filter(({ durationMs }) => durationMs >= 0.5);
  if (taken.length === 0) return null;
  const longest = Math.max(...taken.map(({ durationMs }) => durationMs));
  const all = taken.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const label = taken.map(({ name, durationMs }) => `${name} ${duration(durationMs)}`).join(", ");
  return (
    <div class="spent" role="img" aria-label={`Where the time went: ${label}`}>
      {taken.map(({ name, durationMs }, index) => (
        <div
          key={index}
          style={{ flexGrow: Math.max(durationMs, longest / 40) }}
          title={`${name} ${duration(durationMs)}`}
        >
          <b />
          <span>{durationMs > all / 10 && `${name} ${duration(durationMs)}`}&nbsp;</span>
        </div>
      ))}
    </div>
  );
}
