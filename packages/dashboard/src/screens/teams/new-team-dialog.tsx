import { useState } from "preact/hooks";

import { ask } from "../../client/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledNumber, LabelledText } from "../../parts/dialog-form.tsx";
import { MadeKey } from "../../parts/made-key.tsx";

interface NewTeamDialogProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes a team with its first key, which is shown this once. */
export function NewTeamDialog({ onMade, onClose }: NewTeamDialogProps) {
  const [name, setName] = useState("");
  const [credits, setCredits] = useState("");
  const [apiKey, setApiKey] = useState<string | undefined>(undefined);
  async function make(): Promise<void> {
    const body = { name, ...(credits !== "" && { credits: Number(credits) }) };
    setApiKey((await ask("POST /admin/api/teams", { body })).apiKey);
    onMade();
  }
  if (apiKey !== undefined) {
    return (
      <Dialog title="The team's first key" onClose={onClose}>
        <MadeKey apiKey={apiKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="New team" onClose={onClose}>
      <DialogForm verb="Create team" route="POST /admin/api/teams" onSubmit={make} onClose={onClose}>
        <LabelledText id="team-name" label="Name" isRequired value={name} onChange={setName} />
        <LabelledNumber
          id="team-credits"
          label="Credits"
          hint="unlimited"
          value={credits}
          onChange={setCredits}
        />
      </DialogForm>
    </Dialog>
  );
}
