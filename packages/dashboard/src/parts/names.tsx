import { useName } from "../client/names.ts";
import { plainly } from "../format/foreign.ts";
import type { Column } from "./table.tsx";

/** A team by its name, which leads to its page. The id is its title. */
export function TeamName({ teamId }: { readonly teamId: string }) {
  const name = useName("teams", teamId);
  return (
    <a
      class="name foreign"
      href={`/dashboard/team?id=${encodeURIComponent(teamId)}`}
      title={`Team ${teamId}`}
    >
      {plainly(name)}
    </a>
  );
}

interface AskerProps {
  readonly teamId: string;
  readonly keyId: string | null;
}

/** Who asked for something: a team, and which of its keys. */
export function Asker({ teamId, keyId }: AskerProps) {
  if (teamId === "") return <span class="faint">no team: the key is not known</span>;
  return (
    <>
      <TeamName teamId={teamId} />
      {keyId !== null && (
        <>
          , key <KeyName keyId={keyId} />
        </>
      )}
    </>
  );
}

/** A key by its name. The id is its title. */
export function KeyName({ keyId }: { readonly keyId: string }) {
  const name = useName("keys", keyId);
  return (
    <span class="name foreign" title={`Key ${keyId}`}>
      {plainly(name)}
    </span>
  );
}

/** The team that a row belongs to. */
export const teamColumn: Column<{ readonly teamId: string }> = {
  heading: "Team",
  from: "wide",
  class: "dim team",
  cell: ({ teamId }) => <TeamName teamId={teamId} />,
};
