import type { SetupAnswer } from "../../../src/contract/operator/overview.ts";
import { ask } from "../../client/ask.ts";
import { type Loaded, useLoad } from "../../client/load.ts";
import { moment } from "../../format/times.ts";
import { Badge, Sign } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Words } from "../../parts/words.tsx";
import { WithData } from "../../parts/states.tsx";

type Check = SetupAnswer["data"]["checks"][number];

const TONES = { found: "ok", missing: "warn", problem: "bad" } as const;
const NAMES = { found: "Found", missing: "Missing", problem: "Problem" } as const;

/** What the doctor found on the machine. */
export function useSetUp(): Loaded<SetupAnswer> {
  return useLoad((signal) => ask("GET /admin/api/setup", { query: { fresh: "false" }, signal }), []);
}

/** Checks that did not find all. */
export function worriesOf(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status }) => status === "problem");
}

/** Every part: what was found, what its lack costs, and how to get it. What needs a hand comes first. */
export function SetUp({ loaded }: { readonly loaded: Loaded<SetupAnswer> }) {
  return (
    <Panel title="Set-up" beside={loaded.data && <Summary checks={loaded.data.data.checks} />}>
      <WithData loaded={loaded} lines={6}>
        {({ data: { checks, checkedAt } }) => (
          <>
            <ul class="checks">
              {[...checks]
                .sort((a, b) => rankOf(a) - rankOf(b))
                .map((check) => (
                  <Line key={check.name} check={check} />
                ))}
            </ul>
            <p class="more faint">Looked at {moment(checkedAt)}</p>
          </>
        )}
      </WithData>
    </Panel>
  );
}

function rankOf({ status }: Check): number {
  return ["problem", "missing", "found"].indexOf(status);
}

function Summary({ checks }: { readonly checks: readonly Check[] }) {
  const problems = checks.filter(({ status }) => status === "problem").length;
  const missing = checks.filter(({ status }) => status === "missing").length;
  if (problems > 0) return <Badge tone="bad">{`${problems} to mend`}</Badge>;
  if (missing > 0) return <Badge tone="warn">{`${missing} could be added`}</Badge>;
  return <Badge tone="ok">All there</Badge>;
}

function Line({ check }: { readonly check: Check }) {
  const { name, status, detail, cost, remedy } = check;
  return (
    <li>
      <Sign tone={TONES[status]} name={NAMES[status]} />
      <div>
        <b>{name}</b>
        <p class="help">
          <Words text={detail} />
        </p>
        {cost !== null && (
          <p class="help">
            <Words text={cost} />
          </p>
        )}
        {remedy !== null && (
          <p class="help remedy">
            <Words text={remedy} />
          </p>
        )}
      </div>
    </li>
  );
}
