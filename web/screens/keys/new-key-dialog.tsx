import { useState } from "preact/hooks";

import { ask, messageOf } from "../../client/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledNumber, LabelledText } from "../../parts/dialog-form.tsx";
import { MadeKey } from "../../parts/made-key.tsx";

interface NewKeyDialogProps {
  readonly teamId: string;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes a key, and shows it this once. */
export function NewKeyDialog({ teamId, onMade, onClose }: NewKeyDialogProps) {
  const [apiKey, setApiKey] = useState<string | undefined>(undefined);
  const [name, setName] = useState("");
  const [perMinute, setPerMinute] = useState("");
  const [credits, setCredits] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function make(): Promise<void> {
    const restrictions = {
      ...(perMinute !== "" && { requestsPerMinute: Number(perMinute) }),
      ...(credits !== "" && { credits: Number(credits) }),
    };
    try {
      const body = { ...(name !== "" && { name }), restrictions };
      setApiKey((await ask("POST /admin/api/teams/{id}/keys", { params: { id: teamId }, body })).apiKey);
      onMade();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  }
  if (apiKey !== undefined) {
    return (
      <Dialog title="Your new key" onClose={onClose}>
        <MadeKey apiKey={apiKey} onClose={onClose} />
      </Dialog>
    );
  }
  const hint = "no limit";
  return (
    <Dialog title="New key" onClose={onClose}>
      <DialogForm verb="Create key" problem={problem} onSubmit={make} onClose={onClose}>
        <LabelledText
          id="key-name"
          label="Name"
          hint="the program that uses it"
          value={name}
          onChange={setName}
        />
        <LabelledNumber
          id="key-rate"
          label="Requests per minute"
          hint={hint}
          value={perMinute}
          onChange={setPerMinute}
        />
        <LabelledNumber
          id="key-credits"
          label="Credits per month"
          hint={hint}
          value={credits}
          onChange={setCredits}
        />
      </DialogForm>
    </Dialog>
  );
}
