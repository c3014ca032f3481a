import { useState } from "preact/hooks";

import type { CheckProviderAnswer } from "../../../src/contract/operator/tools.ts";
import { ask, messageOf } from "../../client/ask.ts";
import { JsonEditor } from "../../forms/json-editor.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Notice } from "../../parts/states.tsx";
import { STARTS } from "./provider-starts.ts";

type Verdict = CheckProviderAnswer["data"];
type Entry = Readonly<Record<string, unknown>>;

interface AddProviderDialogProps {
  /** The file that providers stand in; null when there is none. */
  readonly file: string | null;
  readonly onClose: () => void;
}

/** Describes a provider, has the service look at it, and shows where it goes. */
export function AddProviderDialog({ file, onClose }: AddProviderDialogProps) {
  const [entry, setEntry] = useState<Entry>(STARTS["HTTP"] ?? {});
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function check(): Promise<void> {
    setProblem(undefined);
    try {
      setVerdict((await ask("POST /admin/api/tools/check", { body: { provider: entry as never } })).data);
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  }
  return (
    <Dialog title="Add provider" onClose={onClose}>
      <div class="chips" role="group" aria-label="Begin with">
        {Object.entries(STARTS).map(([name, start]) => (
          <button
            type="button"
            class="chip"
            key={name}
            aria-pressed={entry["kind"] === start["kind"]}
            onClick={() => {
              setEntry(start);
              setVerdict(undefined);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <DialogForm verb="Check" problem={problem} onSubmit={check} onClose={onClose}>
        <JsonEditor label="Provider" value={entry} onChange={(changed) => setEntry(changed as Entry)} />
      </DialogForm>
      {verdict && <Verdict verdict={verdict} entry={entry} file={file} />}
    </Dialog>
  );
}

interface VerdictProps {
  readonly verdict: Verdict;
  readonly entry: Entry;
  readonly file: string | null;
}

function Verdict({ verdict: { ok, problems, tools }, entry, file }: VerdictProps) {
  if (!ok) {
    return (
      <Notice tone="bad" title="This is not a provider yet">
        {problems.map((problem) => (
          <p class="foreign" key={problem}>
            {problem}
          </p>
        ))}
      </Notice>
    );
  }
  const place = file === null ? "a file, and name it with PROVIDERS_FILE" : file;
  return (
    <>
      <Notice tone="ok" title={`It has ${tools.length} tools: ${tools.join(", ")}`}>
        Put it into {place}, then restart the service.
      </Notice>
      <CopyLine value={JSON.stringify(entry, null, 2)} label="provider" />
    </>
  );
}
