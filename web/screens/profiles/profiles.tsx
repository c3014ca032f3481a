import { useState } from "preact/hooks";

import type { OperatorProfilesAnswer } from "../../../src/contract/operator/storage.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { bytes } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { act } from "../../parts/toasts.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { saveExport } from "./export.ts";
import { ImportDialog } from "./import-dialog.tsx";

type Profile = OperatorProfilesAnswer["data"][number];

/** Named browser storage: cookies and what pages keep, sealed. */
export function Profiles() {
  const [team, setTeam] = useState("");
  const [isImporting, setImporting] = useState(false);
  const loaded = useLoad(
    (signal) => ask("GET /admin/api/profiles", { query: { limit: 1000, team }, signal }),
    [team],
  );
  return (
    <Page
      title="Profiles"
      acts={
        <>
          <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
          <button type="button" class="btn" onClick={() => setImporting(true)}>
            Import
          </button>
        </>
      }
    >
      <Panel label="Profiles">
        <WithData loaded={loaded}>
          {({ data }) => <ProfileTable profiles={data} onChanged={loaded.reload} />}
        </WithData>
      </Panel>
      {isImporting && (
        <ImportDialog
          known={loaded.data?.data ?? []}
          onImported={() => {
            setImporting(false);
            loaded.reload();
          }}
          onClose={() => setImporting(false)}
        />
      )}
    </Page>
  );
}

interface ProfileTableProps {
  readonly profiles: readonly Profile[];
  readonly onChanged: () => void;
}

function ProfileTable({ profiles, onChanged }: ProfileTableProps) {
  const [leaving, setLeaving] = useState<Profile | undefined>(undefined);
  if (profiles.length === 0) {
    return (
      <Empty title="No profiles">
        A scrape with a profile stores its cookies under the profile name, so that the next scrape is still
        logged in.
      </Empty>
    );
  }
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th class="wide-only">Team</th>
            <th class="num">Size</th>
            <th>State</th>
            <th class="wide-only">Last saved</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {profiles.map((profile) => (
            <ProfileRow
              key={`${profile.teamId} ${profile.name}`}
              profile={profile}
              onDelete={() => setLeaving(profile)}
            />
          ))}
        </tbody>
      </table>
      {leaving && (
        <DeleteDialog
          teamId={leaving.teamId}
          name={leaving.name}
          isSaved={leaving.savedAt !== null}
          onDeleted={() => {
            setLeaving(undefined);
            onChanged();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </div>
  );
}

function ProfileRow({ profile, onDelete }: { readonly profile: Profile; readonly onDelete: () => void }) {
  const { name, teamId, sizeBytes, isLocked, savedAt } = profile;
  return (
    <tr>
      <td class="fills">
        <span class="foreign" title={plainly(name)}>
          {plainly(name)}
        </span>
      </td>
      <td class="wide-only dim team">
        <TeamName teamId={teamId} />
      </td>
      <td class="num">{bytes(sizeBytes)}</td>
      <td>{isLocked ? <Badge tone="info">in use</Badge> : <Badge tone="ok">free</Badge>}</td>
      <td class="wide-only dim" {...(savedAt !== null && { title: exactly(savedAt) })}>
        {savedAt === null ? "never" : moment(savedAt)}
      </td>
      <td class="num">
        {savedAt !== null && (
          <button
            type="button"
            class="btn small"
            aria-label={`Export ${name}`}
            onClick={() => void act(() => saveExport({ teamId, name }).then(() => "Exported."))}
          >
            Export
          </button>
        )}{" "}
        <button type="button" class="btn small danger" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </button>
      </td>
    </tr>
  );
}
