import { useAnswer } from "../client/load.ts";
import { plural } from "../format/numbers.ts";
import { exactly, moment } from "../format/times.ts";
import { Sign } from "../parts/badge.tsx";
import { Words } from "../parts/words.tsx";

/** So old what is wrong may be at most. */
const LOOK_MS = 10_000;

/** What does not work right now, on every screen. It goes by itself when it is over. */
export function IncidentStrip() {
  const { data } = useIncidents();
  const { incidents = [], isReadOnly = false } = data?.data ?? {};
  const [first, ...others] = incidents.map((incident) => <Line key={incident.part} {...incident} />);
  if (!first) return null;
  return (
    <section class="incidents" aria-label="Incidents" role="status">
      {first}
      {others.length > 0 && (
        <details>
          <summary>{`${plural(others.length, "other part does", "other parts do")} not work`}</summary>
          {others}
        </details>
      )}
      {isReadOnly && <p>Changes cannot be stored now. What is shown can still be read.</p>}
    </section>
  );
}

/** Shared by all that show them. */
export function useIncidents() {
  return useAnswer("GET /admin/api/incidents", {}, { everyMs: LOOK_MS });
}

interface LineProps {
  readonly part: string;
  readonly problem: string;
  readonly since: string;
  readonly cost: string;
  readonly remedy: string;
}

function Line({ part, problem, since, cost, remedy }: LineProps) {
  return (
    <div class="row top">
      <Sign tone="bad" name="Problem" />
      <p>
        <b>{`${part.charAt(0).toUpperCase()}${part.slice(1)}: `}</b>
        <Words text={problem} />{" "}
        <span class="faint" title={exactly(since)}>
          since {moment(since)}
        </span>{" "}
        <Words text={`${cost} ${remedy}`.trim()} />
      </p>
    </div>
  );
}
