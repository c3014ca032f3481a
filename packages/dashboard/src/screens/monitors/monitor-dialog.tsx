import { useState } from "preact/hooks";

import type { MonitorAnswer } from "@pergamon-dev/server/monitor/operator";
import { ask } from "../../client/ask.ts";
import { useSchema } from "../../client/schema.ts";
import { session } from "../../client/session.ts";
import { Fields } from "../../forms/field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm, LabelledText } from "../../parts/dialog-form.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { tell } from "../../parts/toasts.tsx";

type Settings = MonitorAnswer["data"]["settings"];
type Request = Readonly<Record<string, unknown>>;

/** Fields of their own in the form, or of no use to a person. */
const LEFT_OUT: ReadonlySet<string> = new Set(["name", "schedule", "origin", "integration"]);
const SCHEDULES = ["every 15 minutes", "hourly", "every 6 hours", "daily at 9:00", "weekly"];
const CRON = /^\S+( \S+){4}$/;

interface MonitorDialogProps {
  /** Of the monitor that is changed; a new one is made without them. */
  readonly settings?: Settings | undefined;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Makes a monitor from a URL and a schedule in words, or changes everything of one. */
export function MonitorDialog({ settings, onClose, onSaved }: MonitorDialogProps) {
  const { typed, change, save } = useForm({ settings, onClose, onSaved });
  const isNew = settings === undefined;
  return (
    <Dialog title={isNew ? "New monitor" : "Change this monitor"} onClose={onClose}>
      <DialogForm
        verb={isNew ? "Watch" : "Save"}
        route={isNew ? "POST /admin/api/monitors" : "PATCH /admin/api/monitors/{id}"}
        onSubmit={save}
        onClose={onClose}
      >
        {isNew && <Urls value={typed.urls} onChange={(urls) => change({ urls })} />}
        <Schedule value={typed.schedule} onChange={(schedule) => change({ schedule })} />
        <LabelledText
          id="monitor-zone"
          label="Time zone"
          isRequired
          value={typed.timezone}
          onChange={(timezone) => change({ timezone })}
        />
        <LabelledText
          id="monitor-name"
          label="Name"
          hint="the first URL"
          isRequired={!isNew}
          value={typed.name}
          onChange={(name) => change({ name })}
        />
        {isNew && <TeamChoice value={typed.teamId} onChange={(teamId) => change({ teamId })} />}
        <Everything value={typed.request} onChange={(request) => change({ request })} />
      </DialogForm>
    </Dialog>
  );
}

interface Typed {
  readonly urls: string;
  readonly name: string;
  /** In words, or five fields of cron. */
  readonly schedule: string;
  readonly timezone: string;
  readonly teamId: string;
  /** Members that have no field of their own. */
  readonly request: Request;
}

function useForm({ settings, onClose, onSaved }: MonitorDialogProps) {
  const before = settings === undefined ? {} : requestOf(settings);
  const [typed, setTyped] = useState<Typed>({
    urls: "",
    name: settings?.name ?? "",
    schedule: settings?.schedule.cron ?? "daily at 9:00",
    timezone: settings?.schedule.timezone ?? "UTC",
    teamId: session.value?.defaultTeamId ?? "default",
    request: before,
  });
  async function save(): Promise<void> {
    const { name, schedule, timezone, teamId, urls } = typed;
    const times = CRON.test(schedule) ? { cron: schedule } : { text: schedule };
    const whole = { ...typed.request, name, schedule: { ...times, timezone } };
    const { data } = await (settings === undefined
      ? ask("POST /admin/api/monitors", { body: { teamId, request: newRequest(whole, urls) } })
      : ask("PATCH /admin/api/monitors/{id}", {
          params: { id: settings.id },
          body: changedMembers({ ...before, name: settings.name, schedule: settings.schedule }, whole),
        }));
    tell("ok", settings === undefined ? `${data.name} is watched.` : "Saved.");
    onSaved(data.id);
    onClose();
  }
  const change = (changed: Partial<Typed>) => setTyped({ ...typed, ...changed });
  return { typed, change, save };
}

interface TextProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Urls({ value, onChange }: TextProps) {
  return (
    <div>
      <label class="label" for="monitor-urls">
        URLs, one per line
      </label>
      <textarea
        class="field mono"
        id="monitor-urls"
        rows={2}
        placeholder="https://example.com/prices"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

function Schedule({ value, onChange }: TextProps) {
  return (
    <div>
      <label class="label" for="monitor-schedule">
        Schedule, in words or as cron
      </label>
      <input
        class="field"
        id="monitor-schedule"
        list="monitor-schedules"
        required
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id="monitor-schedules">
        {SCHEDULES.map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
    </div>
  );
}

interface EverythingProps {
  readonly value: Request;
  readonly onChange: (value: Request) => void;
}

/** Every other option, made from the description of the interface as in the playground. */
function Everything({ value, onChange }: EverythingProps) {
  const schema = useSchema("MonitorRequest");
  return (
    <details>
      <summary>Targets, goal, messages, webhook and more</summary>
      <WithData loaded={schema} lines={6}>
        {(known) => {
          const kept = Object.entries(known.properties ?? {}).filter(([member]) => !LEFT_OUT.has(member));
          return (
            <Fields
              schema={{ ...known, required: [], properties: Object.fromEntries(kept) }}
              value={value}
              id="monitor"
              onChange={onChange}
            />
          );
        }}
      </WithData>
    </details>
  );
}

/** What can be changed of a monitor, as it was asked for. */
function requestOf({ targets, webhook, notification, goal, judgeEnabled, retentionDays }: Settings): Request {
  const members = { targets, webhook, notification, goal, judgeEnabled, retentionDays };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function newRequest(request: Request, urls: string): Request {
  const lines = urls.split(/\s+/).filter((line) => line !== "");
  const name = request["name"] === "" ? (lines[0] ?? "Monitor").slice(0, 256) : request["name"];
  return { targets: [{ type: "scrape", urls: lines }], ...request, name };
}

/** Members that differ; those that are gone are null, which removes them. */
function changedMembers(before: Request, after: Request): Request {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}
