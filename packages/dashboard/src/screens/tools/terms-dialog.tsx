import { useState } from "preact/hooks";

import type { ProvidersAnswer } from "@pergamon-dev/server/tools/operator/show-provider";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TeamName } from "../../parts/names.tsx";

interface TermsDialogProps {
  readonly provider: ProvidersAnswer["data"]["providers"][number];
  readonly onAccepted: () => void;
  readonly onClose: () => void;
}

/** Read the terms of a provider, and their acceptance in the name of a team. */
export function TermsDialog({ provider, onAccepted, onClose }: TermsDialogProps) {
  const teams = useAnswer("GET /admin/api/teams", { query: { limit: 1000 } });
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const { terms } = provider;
  const teamId = chosen ?? teams.data?.data[0]?.teamId ?? "";
  if (!terms) return null;
  const { text, version, digest, acceptedBy } = terms;
  async function accept(): Promise<void> {
    const params = { id: provider.id };
    await ask("POST /admin/api/providers/{id}/terms", { params, body: { teamId, version, digest } });
    onAccepted();
    onClose();
  }
  return (
    <Dialog title={`Terms of ${provider.name}, version ${version}`} onClose={onClose}>
      <pre class="code wrap foreign">{text}</pre>
      {acceptedBy.map((team) => (
        <p class="help" key={team.teamId}>
          <TeamName teamId={team.teamId} /> accepted on {exactly(team.acceptedAt)}
        </p>
      ))}
      <DialogForm
        verb="Accept for this team"
        route="POST /admin/api/providers/{id}/terms"
        onSubmit={accept}
        onClose={onClose}
      >
        <div>
          <label class="label" for="terms-team">
            Team
          </label>
          <select
            class="field"
            id="terms-team"
            value={teamId}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {(teams.data?.data ?? []).map(({ teamId: id, name }) => (
              <option key={id} value={id}>
                {plainly(name)}
              </option>
            ))}
          </select>
        </div>
      </DialogForm>
    </Dialog>
  );
}
