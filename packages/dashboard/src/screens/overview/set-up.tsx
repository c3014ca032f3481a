import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { SetupAnswer } from "@pergamon-dev/server/operator/overview";
import { ask } from "../../client/ask.ts";
import { type Loaded, useLoad } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge, Sign } from "../../parts/badge.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { Words } from "../../parts/words.tsx";

type Check = SetupAnswer["data"]["checks"][number];

const TONES = { found: "ok", missing: "warn", problem: "bad" } as const;
const NAMES = { found: "Found", missing: "Missing", problem: "Problem" } as const;

/** What the doctor found on the machine. */
export function useSetUp(): Loaded<SetupAnswer> {
  const isAgain = useRef(false);
  const loaded = useLoad("set-up", (signal) => {
    const fresh = isAgain.current ? "true" : "false";
    isAgain.current = false;
    return ask("GET /admin/api/setup", { query: { fresh }, signal });
  });
  // What the service found minutes ago is shown at once; who asks again wants to know what is so now.
  const reload = () => {
    isAgain.current = true;
    loaded.reload();
  };
  return { ...loaded, reload };
}

/** What fails, as every place says it; nothing if all works. */
export function toFix(checks: readonly Check[]): JSX.Element | null {
  const problems = checks.filter(({ status }) => status === "problem").length;
  if (problems === 0) return null;
  return (
    <a href="#set-up">
      <Badge tone="bad">{`${problems} to fix`}</Badge>
    </a>
  );
}

/** Every part: what its lack costs, and how to get it. What needs a hand comes first; what was found is folded away. */
export function SetUp({ loaded }: { readonly loaded: Loaded<SetupAnswer> }) {
  return (
    <Panel title="Set-up" id="set-up" beside={loaded.data && <Summary checks={loaded.data.data.checks} />}>
      <WithData loaded={loaded} lines={6}>
        {({ data: { checks, checkedAt } }) => (
          <>
            <Lines checks={checks.filter(({ status }) => status === "problem")} />
            <Lines checks={checks.filter(({ status }) => status === "missing")} />
            <Found checks={checks.filter(({ status }) => status === "found")} />
            <div class="more">
              <span class="faint" title={exactly(checkedAt)}>
                Checked {moment(checkedAt)}
              </span>
              <button type="button" class="btn small" disabled={loaded.isLoading} onClick={loaded.reload}>
                {loaded.isLoading ? "Looking" : "Look again"}
              </button>
            </div>
          </>
        )}
      </WithData>
    </Panel>
  );
}

function Lines({ checks }: { readonly checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul class="checks">
      {checks.map((check) => (
        <Line key={check.name} check={check} />
      ))}
    </ul>
  );
}

/** What is as it should be, named in a line; unfolded, each part tells more. */
function Found({ checks }: { readonly checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <details class="folded">
      <summary>
        <Sign tone="ok" name="Found" />
        <span class="grow">
          <b>{plural(checks.length, "part")} in order</b>
          <span class="faint">{checks.map(({ name }) => name).join(", ")}</span>
        </span>
      </summary>
      <Lines checks={checks} />
    </details>
  );
}

function Summary({ checks }: { readonly checks: readonly Check[] }) {
  const missing = checks.filter(({ status }) => status === "missing").length;
  const others =
    missing > 0 ? <Badge tone="warn">{`${missing} optional`}</Badge> : <Badge tone="ok">Complete</Badge>;
  return toFix(checks) ?? others;
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
        {remedy !== null && <Remedy text={remedy} />}
      </div>
    </li>
  );
}

/** What a remedy types: after the name of a system, between backticks, or a whole line of a program. */
const TYPED =
  /\(Debian: ([^)]+)\)|`([^`]+ [^`]+)`|((?:chmod|pergamon) \S.*)$|\b(npm [^.]+?)(?: again| without|\.)/;

/** What mends a part; a line that is typed for it is ready to copy. */
function Remedy({ text }: { readonly text: string }) {
  const typed = TYPED.exec(text)
    ?.slice(1)
    .find((found) => found !== undefined);
  return (
    <>
      {typed !== text && (
        <p class="help remedy">
          <Words text={text} />
        </p>
      )}
      {typed !== undefined && <CopyLine value={typed} label={`“${typed}”`} />}
    </>
  );
}
