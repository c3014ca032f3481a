import { useState } from "preact/hooks";

import { ask } from "../../client/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledNumber } from "../../parts/dialog-form.tsx";
import { MadeKey } from "../../parts/made-key.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { KeyForm } from "./key-form.tsx";

interface NewKeyDialogProps {
  readonly teamId: string;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes a key, and shows it this once. */
export function NewKeyDialog({ teamId: first, onMade, onClose }: NewKeyDialogProps) {
  const [teamId, setTeamId] = useState(first);
  const [apiKey, setApiKey] = useState<string | undefined>(undefined);
  const [key, setKey] = useState({ name: "", restrictions: {} });
  const [days, setDays] = useState("");
  async function make(): Promise<void> {
    const body = {
      ...(key.name !== "" && { name: key.name }),
      restrictions: key.restrictions,
      ...(days !== "" && { expiresInDays: Number(days) }),
    };
    setApiKey((await ask("POST /admin/api/teams/{id}/keys", { params: { id: teamId }, body })).apiKey);
    onMade();
  }
  if (apiKey !== undefined) {
    return (
      <Dialog title="Your new key" onClose={onClose}>
        <MadeKey apiKey={apiKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <DialogForm verb="Create key" route="POST /admin/api/teams/{id}/keys" onSubmit={make} onClose={onClose}>
        <TeamChoice value={teamId} onChange={setTeamId} />
        <KeyForm value={key} onChange={setKey} />
        <LabelledNumber
          id="key-days"
          label="Expires after days"
          hint="never"
          max={3650}
          value={days}
          onChange={setDays}
        />
      </DialogForm>
    </Dialog>
  );
}
