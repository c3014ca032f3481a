import type { TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import { Badge } from "../../parts/badge.tsx";

/** Whether a team can work. */
export function TeamState({ team: { flags, remainingCredits } }: { readonly team: TeamEntry }) {
  if (flags["banned"] === true) return <Badge tone="bad">banned</Badge>;
  if (remainingCredits === 0) return <Badge tone="warn">out of credits</Badge>;
  return <Badge tone="ok">active</Badge>;
}
