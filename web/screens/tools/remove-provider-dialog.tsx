import { useState } from "preact/hooks";

import type { ProvidersAnswer } from "../../../src/contract/operator/tools.ts";
import { ask, messageOf } from "../../client/ask.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";

interface RemoveProviderDialogProps {
  readonly provider: ProvidersAnswer["data"]["providers"][number];
  /** Of the file that contains it. */
  readonly version: string | undefined;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Takes a provider out of the file, when that is meant. */
export function RemoveProviderDialog({ provider, version, onRemoved, onClose }: RemoveProviderDialogProps) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function remove(): Promise<void> {
    try {
      await ask("DELETE /admin/api/providers/{id}", { params: { id: provider.id }, ifMatch: version });
      onRemoved();
      onClose();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  }
  return (
    <Dialog title={`Remove ${provider.name}?`} onClose={onClose}>
      <DialogForm verb="Remove provider" problem={problem} onSubmit={remove} onClose={onClose}>
        <p class="wrap">Its entry is removed from the providers file. Running calls can fail.</p>
      </DialogForm>
    </Dialog>
  );
}
