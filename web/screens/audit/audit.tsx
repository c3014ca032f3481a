import type { AuditLogAnswer } from "../../../src/contract/operator/audit-log.ts";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { KeyName, TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";

type Entry = AuditLogAnswer["data"][number];

/** Who changed what, newest first. */
export function Audit() {
  const { loaded, further, more, problem } = usePages<Entry>((cursor, signal) =>
    ask("GET /admin/api/audit-log", {
      query: { ...(cursor !== undefined && { cursor }) },
      ...(signal && { signal }),
    }),
  );
  return (
    <Page title="Audit log" beside={<span class="faint">changes by operators, kept forever</span>}>
      <Panel label="Changes">
        <WithData loaded={loaded}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No changes yet">Changes to teams, keys, credits and settings appear here.</Empty>
            ) : (
              <>
                <Changes entries={[...data, ...further]} />
                {problem !== undefined && <Notice tone="bad" title={problem} />}
                {more && (
                  <button type="button" class="btn" onClick={more}>
                    Show older changes
                  </button>
                )}
              </>
            )
          }
        </WithData>
      </Panel>
    </Page>
  );
}

function Changes({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
            <th class="wide-only">Who</th>
            <th class="wide-only">Team and key</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Change key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Change({ entry: { time, kind, by, teamId, keyId, details } }: { readonly entry: Entry }) {
  return (
    <tr>
      <td class="dim">{exactly(time)}</td>
      <td class="fills wrap">
        <b>{plainly(wordsOf(kind))}</b>
        {Object.entries(details).map(([name, value]) => (
          <p class="help mono wrap foreign" key={name}>
            {plainly(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)}
          </p>
        ))}
      </td>
      <td class="wide-only dim foreign">{plainly(by ?? "not known")}</td>
      <td class="wide-only">
        {teamId !== null && <TeamName teamId={teamId} />}
        {teamId !== null && keyId !== null && ", "}
        {keyId !== null && <KeyName teamId={teamId ?? ""} keyId={keyId} />}
      </td>
    </tr>
  );
}

/** `webhookSecret.rotated` → `Webhook secret rotated`. */
function wordsOf(kind: string): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
