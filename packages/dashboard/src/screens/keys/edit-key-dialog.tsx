import { useState } from "preact/hooks";

import type { KeyEntry } from "@pergamon-dev/server/accounts/operator/keys";
import { ask } from "../../client/ask.ts";
import { exactly } from "../../format/times.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledNumber } from "../../parts/dialog-form.tsx";
import { MadeKey } from "../../parts/made-key.tsx";
import { tell } from "../../parts/toasts.tsx";
import { KeyForm } from "./key-form.tsx";

interface KeyDialogProps {
  readonly entry: KeyEntry;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes the name and the restrictions of a key. What another operator changed meanwhile is not undone. */
export function EditKeyDialog({ entry, onChanged, onClose }: KeyDialogProps) {
  const [key, setKey] = useState({ name: entry.name, restrictions: entry.restrictions });
  async function save(): Promise<void> {
    const body = { ...(key.name !== "" && { name: key.name }), restrictions: key.restrictions };
    const params = { id: entry.keyId };
    await ask("PATCH /admin/api/keys/{id}", { params, body, ifMatch: entry.version });
    tell("ok", "Saved. It applies from the next request on.");
    onChanged();
    onClose();
  }
  return (
    <Dialog title="Edit key" onClose={onClose}>
      <DialogForm
        verb="Save"
        route="PATCH /admin/api/keys/{id}"
        onSubmit={save}
        outdated={{ what: "This key was", reload: onChanged }}
        onClose={onClose}
      >
        <KeyForm value={key} onChange={setKey} />
      </DialogForm>
    </Dialog>
  );
}

/** Gives a key another text, and shows it this once. */
export function RotateKeyDialog({ entry, onChanged, onClose }: KeyDialogProps) {
  const [hours, setHours] = useState("24");
  const [made, setMade] = useState<{ readonly apiKey: string; readonly oldTextUntil: string } | undefined>();
  async function rotate(): Promise<void> {
    const params = { id: entry.keyId };
    const body = { graceHours: Number(hours) };
    setMade(await ask("POST /admin/api/keys/{id}/rotate", { params, body }));
    onChanged();
  }
  if (made !== undefined) {
    return (
      <Dialog title="The new text of the key" onClose={onClose}>
        <p class="help">The old text works until {exactly(made.oldTextUntil)}.</p>
        <MadeKey apiKey={made.apiKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Rotate key" onClose={onClose}>
      <DialogForm verb="Rotate" route="POST /admin/api/keys/{id}/rotate" onSubmit={rotate} onClose={onClose}>
        <p class="help">
          The key gets another text and keeps its name, its restrictions and what it has used. The old text
          keeps working for as long as you choose.
        </p>
        <LabelledNumber
          id="rotate-hours"
          label="Hours until the old text ends, 0 to 168"
          min={0}
          max={168}
          isRequired
          value={hours}
          onChange={setHours}
        />
      </DialogForm>
    </Dialog>
  );
}
