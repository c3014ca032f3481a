import { useAnswer } from "../client/load.ts";
import { plainly } from "../format/foreign.ts";

interface TeamChoiceProps {
  readonly value: string;
  readonly onChange: (teamId: string) => void;
  /** What stands for every team; left out, one has to be chosen. */
  readonly everybody?: string;
}

/** Which team, where there are several. */
export function TeamChoice({ value, onChange, everybody }: TeamChoiceProps) {
  const teams = useAnswer("GET /admin/api/teams", { query: { limit: 1000 } });
  const known = teams.data?.data ?? [];
  if (known.length < 2) return null;
  return (
    <select
      class="chip foreign"
      aria-label="Team"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {everybody !== undefined && <option value="">{everybody}</option>}
      {known.map(({ teamId, name }) => (
        <option key={teamId} value={teamId}>
          {plainly(name)}
        </option>
      ))}
    </select>
  );
}
