import { useState } from "preact/hooks";

import type { ProvidersAnswer } from "../../../src/contract/operator/tools.ts";
import { ask, messageOf } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { JsonEditor } from "../../forms/json-editor.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Notice } from "../../parts/states.tsx";
import { STARTS } from "./provider-starts.ts";

type File = ProvidersAnswer["data"]["file"];
type Entry = Readonly<Record<string, unknown>>;

interface AddProviderDialogProps {
  /** The file of the providers; null if there is none. */
  readonly file: File;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

const FIRST = "MCP server";

/** Describes a provider, has the service look at it, and writes it into the file. */
export function AddProviderDialog({ file, onAdded, onClose }: AddProviderDialogProps) {
  const [entry, setEntry] = useState<Entry>(STARTS[FIRST] ?? {});
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  function change(next: Entry): void {
    setEntry(next);
    setProblems([]);
    setProblem(undefined);
  }
  async function add(): Promise<void> {
    setProblem(undefined);
    try {
      const body = { provider: entry as never };
      const { data } = await ask("POST /admin/api/providers/check", { body });
      setProblems(data.problems);
      if (!data.ok) return;
      const params = { id: String(entry["id"]) };
      await ask("PUT /admin/api/providers/{id}", { params, body, ifMatch: file?.version });
      onAdded();
      onClose();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  }
  return (
    <Dialog title="Add provider" onClose={onClose}>
      <div class="chips" role="group" aria-label="Start from">
        {Object.entries(STARTS).map(([name, start]) => (
          <button
            type="button"
            class="chip"
            key={name}
            aria-pressed={entry["kind"] === start["kind"]}
            onClick={() => change(start)}
          >
            {name}
          </button>
        ))}
      </div>
      <DialogForm verb="Add provider" problem={problem} onSubmit={add} onClose={onClose}>
        <JsonEditor label="Provider" value={entry} onChange={(changed) => change(changed as Entry)} />
      </DialogForm>
      <Mistakes problems={problems} />
      {!file && <WithoutFile entry={entry} />}
    </Dialog>
  );
}

function Mistakes({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="bad" title="Invalid provider">
      {problems.map((problem) => (
        <p class="foreign" key={problem}>
          {plainly(problem)}
        </p>
      ))}
    </Notice>
  );
}

function WithoutFile({ entry }: { readonly entry: Entry }) {
  return (
    <>
      <Notice tone="warn" title="The providers file is missing">
        Save this entry in a file, set PROVIDERS_FILE to its path, and restart the service.
      </Notice>
      <CopyLine value={JSON.stringify({ providers: [entry] }, null, 2)} label="providers file" />
    </>
  );
}
