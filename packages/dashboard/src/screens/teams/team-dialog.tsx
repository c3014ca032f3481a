import { useState } from "preact/hooks";

import type { TeamEntry, ThreatPolicyPatch } from "@pergamon-dev/server/accounts/operator/teams";
import { ask } from "../../client/ask.ts";
import { session } from "../../client/session.ts";
import { count } from "../../format/numbers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { DialogForm, LabelledNumber, LabelledText } from "../../parts/dialog-form.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Tick } from "../../parts/tick.tsx";
import { tell } from "../../parts/toasts.tsx";
import { RetentionField, ThreatFields } from "./safety-fields.tsx";

/** Flags of a team → what they let it do. */
const FLAGS = [
  ["providerTools", "Can use provider tools"],
  ["termsAccepted", "Has accepted the terms of third-party data"],
  ["threatProtection", "Can use threat protection"],
  ["safeMode", "Can use safe mode"],
  ["passRobots", "Can crawl what robots.txt forbids"],
  ["banned", "Banned: all requests are rejected"],
] as const;

/** Flags that are on by default. */
const USUALLY_ON: ReadonlySet<string> = new Set(["threatProtection", "safeMode"]);

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
  const [limits, setLimits] = useState(team.limits);
  const [allowance, setAllowance] = useState(team.allowance);
  const [threatPolicy, setThreatPolicy] = useState<ThreatPolicyPatch>(team.threatPolicy);
  const [isLeaving, setLeaving] = useState(false);
  async function save(): Promise<void> {
    const params = { id: team.teamId };
    const changes = {
      ...(allowance !== team.allowance && { allowance }),
      ...(threatPolicy !== team.threatPolicy && { threatPolicy }),
    };
    const body = { name, flags, limits, ...changes };
    await ask("PATCH /admin/api/teams/{id}", { params, body, ifMatch: team.version });
    if (add !== "") await ask("POST /admin/api/teams/{id}/credits", { params, body: { add: Number(add) } });
    tell("ok", "Saved.");
    onChanged();
    onClose();
  }
  if (isLeaving) {
    return (
      <DeleteTeam team={team} onChanged={onChanged} onClose={onClose} onBack={() => setLeaving(false)} />
    );
  }
  const left = team.remainingCredits === null ? "unlimited so far" : `${count(team.remainingCredits)} left`;
  return (
    <Dialog title="Edit team" onClose={onClose}>
      <DialogForm
        verb="Save"
        route="PATCH /admin/api/teams/{id}"
        onSubmit={save}
        outdated={{ what: "This team was", reload: onChanged }}
        onClose={onClose}
      >
        <LabelledText id="edit-name" label="Name" isRequired value={name} onChange={setName} />
        <LabelledNumber id="edit-credits" label="Add credits" hint={left} value={add} onChange={setAdd} />
        <AllowanceFields value={allowance} onChange={setAllowance} />
        <LimitFields value={limits} onChange={setLimits} />
        <RetentionField flags={flags} onChange={setFlags} />
        <ThreatFields value={threatPolicy} onChange={setThreatPolicy} />
        <FlagSwitches value={flags} onChange={setFlags} />
        {team.teamId !== session.value?.defaultTeamId && <Leaving onLeave={() => setLeaving(true)} />}
      </DialogForm>
    </Dialog>
  );
}

function Leaving({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <div class="row between">
      <span class="dim">Delete the team and all of its data</span>
      <ActButton route="DELETE /admin/api/teams/{id}" class="btn small danger" onClick={onLeave}>
        Delete team
      </ActButton>
    </div>
  );
}

interface DeleteProps extends TeamDialogProps {
  readonly onBack: () => void;
}

function DeleteTeam({ team, onChanged, onClose, onBack }: DeleteProps) {
  async function remove(): Promise<string> {
    await ask("DELETE /admin/api/teams/{id}", { params: { id: team.teamId } });
    return "Team deleted.";
  }
  function onDeleted(): void {
    onChanged();
    onClose();
  }
  return (
    <Confirm
      title={`Delete ${team.name}?`}
      verb="Delete team"
      route="DELETE /admin/api/teams/{id}"
      work={remove}
      onDone={onDeleted}
      onClose={onBack}
    >
      Its keys stop working immediately. Its requests, cached pages, profiles, files and jobs are erased. This
      cannot be undone.
    </Confirm>
  );
}

interface PartProps<Part extends "flags" | "limits"> {
  readonly value: TeamEntry[Part];
  readonly onChange: (value: TeamEntry[Part]) => void;
}

function FlagSwitches({ value, onChange }: PartProps<"flags">) {
  return (
    <>
      {FLAGS.map(([flag, title]) => (
        <Tick
          key={flag}
          label={title}
          isOn={value[flag] ?? USUALLY_ON.has(flag)}
          onChange={(isOn) => onChange({ ...value, [flag]: isOn })}
        />
      ))}
    </>
  );
}

const LIMITS = [
  ["concurrency", "Concurrent requests"],
  ["requestsPerMinute", "Requests per minute"],
] as const;

function LimitFields({ value, onChange }: PartProps<"limits">) {
  return (
    <>
      {LIMITS.map(([name, label]) => (
        <LabelledNumber
          key={name}
          id={`edit-${name}`}
          label={label}
          hint="as in the settings"
          value={String(value[name] ?? "")}
          onChange={(typed) => onChange({ ...value, [name]: typed === "" ? null : Number(typed) })}
        />
      ))}
    </>
  );
}

interface AllowanceProps {
  readonly value: TeamEntry["allowance"];
  readonly onChange: (value: TeamEntry["allowance"]) => void;
}

/** Credits that are granted again each day or month. */
function AllowanceFields({ value, onChange }: AllowanceProps) {
  const period = value?.period ?? "month";
  return (
    <div class="row">
      <div class="grow">
        <LabelledNumber
          id="edit-allowance"
          label="Allowance of credits"
          hint="none"
          min={0}
          value={value === null ? "" : String(value.credits)}
          onChange={(typed) => onChange(typed === "" ? null : { credits: Number(typed), period })}
        />
      </div>
      <div>
        <label class="label" for="edit-period">
          Each
        </label>
        <select
          class="field"
          id="edit-period"
          value={period}
          onChange={({ currentTarget }) =>
            value !== null && onChange({ ...value, period: currentTarget.value as "day" | "month" })
          }
        >
          <option value="day">day</option>
          <option value="month">month</option>
        </select>
      </div>
    </div>
  );
}
