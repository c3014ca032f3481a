import { useState } from "preact/hooks";

import type { TeamEntry } from "../../client/account-routes.ts";
import { ask, messageOf, ServiceProblem } from "../../client/ask.ts";
import { count } from "../../format/numbers.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledNumber, LabelledText } from "../../parts/dialog-form.tsx";
import { Switch } from "../../parts/switch.tsx";
import { tell } from "../../parts/toasts.tsx";

/** Flags of a team → what they let it do. */
const FLAGS = {
  providerTools: "Can use provider tools",
  termsAccepted: "Has accepted the terms of third-party data",
  threatProtection: "Can use threat protection",
  safeMode: "Can use safe mode",
  banned: "Banned: all requests are rejected",
} as const;

/** Flags that are on where nothing is said. */
const USUALLY_ON: ReadonlySet<string> = new Set(["threatProtection", "safeMode"]);

const OUTDATED = "This team was changed in the meantime. Close this dialog and open it again.";

interface TeamDialogProps {
  readonly team: TeamEntry;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes a team, or gives it credits. What another operator changed meanwhile is not undone. */
export function TeamDialog({ team, onChanged, onClose }: TeamDialogProps) {
  const [name, setName] = useState(team.name);
  const [flags, setFlags] = useState(team.flags);
  const [add, setAdd] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function save(): Promise<void> {
    const params = { id: team.teamId };
    try {
      await ask("PATCH /admin/api/teams/{id}", { params, body: { name, flags }, ifMatch: team.version });
      if (add !== "") await ask("POST /admin/api/teams/{id}/credits", { params, body: { add: Number(add) } });
      tell("ok", "Saved.");
      onChanged();
      onClose();
    } catch (failure) {
      const isOutdated = failure instanceof ServiceProblem && failure.status === 412;
      if (isOutdated) onChanged();
      setProblem(isOutdated ? OUTDATED : messageOf(failure));
    }
  }
  const left = team.remainingCredits === null ? "unlimited so far" : `${count(team.remainingCredits)} left`;
  return (
    <Dialog title="Edit team" onClose={onClose}>
      <DialogForm verb="Save" problem={problem} onSubmit={save} onClose={onClose}>
        <LabelledText id="edit-name" label="Name" isRequired value={name} onChange={setName} />
        <LabelledNumber id="edit-credits" label="Add credits" hint={left} value={add} onChange={setAdd} />
        {Object.entries(FLAGS).map(([flag, title]) => (
          <div class="row between" key={flag}>
            <span>{title}</span>
            <Switch
              label={title}
              isOn={flags[flag] === undefined ? USUALLY_ON.has(flag) : flags[flag] === true}
              onChange={(isOn) => setFlags({ ...flags, [flag]: isOn })}
            />
          </div>
        ))}
      </DialogForm>
    </Dialog>
  );
}
