import { useState } from "preact/hooks";

import { ask, messageOf } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { useAttempt } from "../../parts/attempt.ts";
import { Dialog, ProblemLine } from "../../parts/dialog.tsx";
import { saveExport } from "./export.ts";

interface DeleteDialogProps {
  readonly teamId: string;
  readonly name: string;
  /** Whether there is anything to export. */
  readonly isSaved: boolean;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Says what is lost for good, and offers to keep it in a file first. */
export function DeleteDialog({ teamId, name, isSaved, onDeleted, onClose }: DeleteDialogProps) {
  const [state, setState] = useState<"" | "exporting" | "exported">("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function keep(): Promise<void> {
    setState("exporting");
    try {
      await saveExport({ teamId, name });
      setState("exported");
      setProblem(undefined);
    } catch (failure) {
      setState("");
      setProblem(messageOf(failure));
    }
  }
  async function remove(): Promise<string> {
    await ask("DELETE /admin/api/teams/{id}/profiles/{name}", { params: { id: teamId, name } });
    return "Deleted.";
  }
  const deletion = useAttempt(remove, onDeleted);
  return (
    <Dialog title="Delete this profile?" onClose={onClose}>
      <p class="wrap">
        “<span class="foreign">{plainly(name)}</span>” loses all its logins. This cannot be undone. The next
        scrape with this profile starts without them.
      </p>
      {isSaved && (
        <p class="help">
          Export it first to be able to import it again. The file is encrypted: it can be imported only by a
          service with the same <code>SECRET_KEY</code>.
        </p>
      )}
      <ProblemLine problem={deletion.problem ?? problem} />
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
        {isSaved && (
          <ActButton
            route="GET /admin/api/teams/{id}/profiles/{name}/export"
            class="btn"
            disabled={state === "exporting"}
            onClick={() => void keep()}
          >
            {state === "exported" ? "✓ Exported" : "Export first"}
          </ActButton>
        )}
        <ActButton
          route="DELETE /admin/api/teams/{id}/profiles/{name}"
          class="btn danger"
          disabled={deletion.isBusy}
          onClick={deletion.begin}
        >
          Delete
        </ActButton>
      </div>
    </Dialog>
  );
}
