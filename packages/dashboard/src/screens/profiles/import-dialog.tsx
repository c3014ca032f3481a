import { useState } from "preact/hooks";

import type { ExportedProfile } from "@pergamon-dev/server/profiles/operator";
import { ask, messageOf } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Dialog, ProblemLine } from "../../parts/dialog.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { tell } from "../../parts/toasts.tsx";
import { readExport } from "./export.ts";

const ROUTE = "POST /admin/api/teams/{id}/profiles/{name}/import";

interface ImportDialogProps {
  /** Profiles that there are, so that nothing is replaced unseen. */
  readonly known: readonly { readonly teamId: string; readonly name: string }[];
  readonly onImported: () => void;
  readonly onClose: () => void;
}

/** Takes an exported profile back, under its name or another. */
export function ImportDialog({ known, onImported, onClose }: ImportDialogProps) {
  const [exported, setExported] = useState<ExportedProfile | undefined>(undefined);
  const [team, setTeam] = useState("");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const read = await readExport(file);
      setExported(read);
      setTeam(read.teamId);
      setName(read.name);
      setProblem(undefined);
    } catch (failure) {
      setExported(undefined);
      setProblem(messageOf(failure));
    }
  }
  async function save(): Promise<void> {
    if (!exported) throw new Error("Choose the file of an exported profile first.");
    await ask(ROUTE, { params: { id: team, name }, body: exported });
    tell("ok", "Imported.");
    onImported();
  }
  return (
    <Dialog title="Import a profile" onClose={onClose}>
      <DialogForm verb="Import" route={ROUTE} onSubmit={save} onClose={onClose}>
        <label>
          <span class="label">File</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        </label>
        {exported && <Target known={known} team={team} name={name} onTeam={setTeam} onName={setName} />}
        <ProblemLine problem={problem} />
      </DialogForm>
    </Dialog>
  );
}

interface TargetProps extends Pick<ImportDialogProps, "known"> {
  readonly team: string;
  readonly name: string;
  readonly onTeam: (team: string) => void;
  readonly onName: (name: string) => void;
}

/** Under which name it is imported, and whether that replaces something. */
function Target({ known, team, name, onTeam, onName }: TargetProps) {
  const isThere = known.some((profile) => profile.teamId === team && profile.name === name);
  return (
    <>
      <label>
        <span class="label">Name</span>
        <input
          class="field"
          type="text"
          required
          maxLength={128}
          value={name}
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
      </label>
      <TeamChoice value={team} onChange={onTeam} />
      {isThere && <p class="problem">This replaces the logins that “{plainly(name)}” has now.</p>}
    </>
  );
}
