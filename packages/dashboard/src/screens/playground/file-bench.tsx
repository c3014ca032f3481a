import { signal } from "@preact/signals";

import { bytes } from "../../format/numbers.ts";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { useSchema } from "../../client/schema.ts";
import { file } from "./file-drop.ts";
import { OptionsPanel } from "./options-panel.tsx";
import { options } from "./request.ts";
import { ResultPanel } from "./result-panel.tsx";
import { type Outcome, runParse } from "./run.ts";
import { useRun } from "./use-run.ts";

const outcome = signal<Outcome | undefined>(undefined);
const previous = signal<Outcome | undefined>(undefined);

interface FileBenchProps {
  readonly teamId: string;
  readonly choice: preact.JSX.Element;
}

/** Reads a file of this machine, which is chosen or was dropped on the screen. */
export function FileBench({ teamId, choice }: FileBenchProps) {
  const schema = useSchema("ParseRequest");
  const { isRunning, run, cancel } = useRun({ outcome, previous }, async (leaving) => {
    const chosen = file.peek();
    return chosen && runParse(chosen, options.peek(), teamId, leaving);
  });
  return (
    <>
      <Panel label="Request">
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {choice}
          <FileField />
          <button type="submit" class="btn primary" disabled={isRunning || !file.value}>
            Run <kbd>↵</kbd>
          </button>
        </form>
      </Panel>
      <div class="bench">
        <WithData loaded={schema} lines={12}>
          {(known) => <OptionsPanel schema={known} />}
        </WithData>
        <ResultPanel
          outcome={outcome.value}
          previous={previous.value}
          isRunning={isRunning}
          onCancel={cancel}
          hint="Choose a file above, or drop it anywhere here, and press Run."
        />
      </div>
    </>
  );
}

function FileField() {
  const chosen = file.value;
  return (
    <label class="field address file">
      <span>{chosen ? `${chosen.name}, ${bytes(chosen.size)}` : "Choose a file, or drop it here"}</span>
      <input
        type="file"
        aria-label="File"
        onChange={({ currentTarget }) => (file.value = currentTarget.files?.[0] ?? file.peek())}
      />
    </label>
  );
}
