import { useState } from "preact/hooks";

import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { JsonEditor } from "../../forms/json-editor.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { ReplayChanges } from "./replay.ts";

interface ReplayDialogProps {
  readonly detail: RequestAnswer["data"];
  /** Whether the body can be changed, or only what is missing in it filled in. */
  readonly withChanges: boolean;
  readonly onRun: (changes: ReplayChanges) => Promise<void>;
  readonly onClose: () => void;
}

/** Runs a request again: with changes, and with the secrets that the log does not keep. */
export function ReplayDialog({ detail, withChanges, onRun, onClose }: ReplayDialogProps) {
  const [body, setBody] = useState<unknown>(detail.body);
  const [fill, setFill] = useState<Readonly<Record<string, string>>>({});
  async function run(): Promise<void> {
    await onRun({
      ...(withChanges && { body: body as NonNullable<ReplayChanges["body"]> }),
      ...(Object.keys(fill).length > 0 && { fill }),
    });
    onClose();
  }
  return (
    <Dialog title={withChanges ? "Replay with changes" : "Replay"} onClose={onClose}>
      <DialogForm
        verb="Run again"
        route="POST /admin/api/requests/{id}/replay"
        onSubmit={run}
        onClose={onClose}
      >
        {withChanges && <JsonEditor label="Request to run" value={body} onChange={setBody} />}
        {detail.masked.map((path) => (
          <div key={path}>
            <label class="label mono" for={`fill-${path}`}>
              {path}
            </label>
            <input
              class="field"
              id={`fill-${path}`}
              type="password"
              autocomplete="off"
              placeholder="not stored in the log: enter it again"
              required={!withChanges}
              onInput={({ currentTarget }) => setFill({ ...fill, [path]: currentTarget.value })}
            />
          </div>
        ))}
      </DialogForm>
    </Dialog>
  );
}
