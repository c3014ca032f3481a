import { useState } from "preact/hooks";

import type { OperatorProfilesAnswer } from "@pergamon-dev/server/profiles/operator";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { bytes } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { teamColumn } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
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
  const loaded = useAnswer("GET /admin/api/profiles", { query: { limit: 1000, team } });
  return (
    <Page
      title="Profiles"
      acts={
        <>
          <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
          <ActButton
            route="POST /admin/api/teams/{id}/profiles/{name}/import"
            class="btn"
            onClick={() => setImporting(true)}
          >
            Import
          </ActButton>
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
  return (
    <>
      <Table
        label="Profiles"
        columns={[
          ...COLUMNS,
          { kind: "acts", cell: (profile) => <Acts profile={profile} onDelete={setLeaving} /> },
        ]}
        rows={profiles}
        keyOf={({ teamId, name }) => `${teamId} ${name}`}
        empty={
          <Empty title="No profiles">
            A scrape with a profile stores its cookies under the profile name, so that the next scrape is
            still logged in.
          </Empty>
        }
      />
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
    </>
  );
}

const COLUMNS: readonly Column<Profile>[] = [
  {
    heading: "Name",
    by: ({ name }) => name,
    kind: "name",
    cell: ({ name }) => (
      <span class="foreign" title={plainly(name)}>
        {plainly(name)}
      </span>
    ),
  },
  teamColumn,
  {
    heading: "Size",
    by: ({ sizeBytes }) => sizeBytes,
    kind: "number",
    cell: ({ sizeBytes }) => bytes(sizeBytes),
  },
  {
    heading: "State",
    cell: ({ isLocked }) => (isLocked ? <Badge tone="info">in use</Badge> : <Badge tone="ok">free</Badge>),
  },
  {
    heading: "Last saved",
    by: ({ savedAt }) => savedAt,
    from: "wide",
    class: "dim",
    cell: ({ savedAt }) =>
      savedAt === null ? "never" : <span title={exactly(savedAt)}>{moment(savedAt)}</span>,
  },
];

interface ActsProps {
  readonly profile: Profile;
  readonly onDelete: (profile: Profile) => void;
}

function Acts({ profile, onDelete }: ActsProps) {
  const { name, teamId, savedAt } = profile;
  return (
    <>
      {savedAt !== null && (
        <ActButton
          route="GET /admin/api/teams/{id}/profiles/{name}/export"
          class="btn small"
          aria-label={`Export ${name}`}
          onClick={() => void act(() => saveExport({ teamId, name }).then(() => "Exported."))}
        >
          Export
        </ActButton>
      )}{" "}
      <ActButton
        route="DELETE /admin/api/teams/{id}/profiles/{name}"
        class="btn small danger"
        aria-label={`Delete ${name}`}
        onClick={() => onDelete(profile)}
      >
        Delete
      </ActButton>
    </>
  );
}
