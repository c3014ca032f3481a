import { useState } from "preact/hooks";

import type { AlertsAnswer } from "../../../src/contract/operator/alerts.ts";
import { ask, messageOf, ServiceProblem } from "../../client/ask.ts";
import { LabelledNumber } from "../../parts/dialog-form.tsx";
import { tell } from "../../parts/toasts.tsx";
import { type Draft, type DraftProps, draftOf, settingsOf } from "./draft.ts";
import { Receivers } from "./receivers.tsx";
import { Tick } from "../../parts/tick.tsx";

type Data = AlertsAnswer["data"];

interface AlertFormProps {
  readonly data: Data;
  /** @param secret of the webhook, when it is a new one. */
  readonly onSaved: (secret: string | null) => void;
}

const OUTDATED = "The alerts were changed in the meantime. Save again to replace that change.";

/** The rules of alerts, and the channels of their messages. */
export function AlertForm({ data, onSaved }: AlertFormProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(data));
  const [version, setVersion] = useState(data.version);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isSaving, setSaving] = useState(false);
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  async function save(): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    setProblem(undefined);
    try {
      const saved = await ask("PUT /admin/api/alerts", { body: settingsOf(draft), ifMatch: version });
      setVersion(saved.data.version);
      setDraft(draftOf(saved.data));
      tell("ok", "Saved. All processes use it within a minute.");
      onSaved(saved.data.secret);
    } catch (failure) {
      const isOutdated = failure instanceof ServiceProblem && failure.status === 412;
      if (isOutdated) {
        onSaved(null);
        setVersion((await ask("GET /admin/api/alerts")).data.version);
      }
      setProblem(isOutdated ? OUTDATED : messageOf(failure));
    } finally {
      setSaving(false);
    }
  }
  return (
    <form
      class="body stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Rules draft={draft} onChange={change} />
      <Receivers data={data} draft={draft} onChange={change} />
      <p class="problem wrap" role="alert">
        {problem}
      </p>
      <div class="acts">
        <button type="submit" class="btn primary">
          {isSaving ? "Saving" : "Save"}
        </button>
      </div>
    </form>
  );
}

function Rules({ draft, onChange }: DraftProps) {
  return (
    <>
      <Tick label="A part does not work" isOn={draft.parts} onChange={(parts) => onChange({ parts })} />
      <Tick
        label="Many requests fail"
        isOn={draft.errorRate}
        onChange={(errorRate) => onChange({ errorRate })}
      />
      {draft.errorRate && (
        <div class="row">
          <LabelledNumber
            id="alert-percent"
            label="Percent"
            max={100}
            isRequired
            value={draft.percent}
            onChange={(percent) => onChange({ percent })}
          />
          <LabelledNumber
            id="alert-window"
            label="Minutes"
            max={120}
            isRequired
            value={draft.windowMinutes}
            onChange={(windowMinutes) => onChange({ windowMinutes })}
          />
          <LabelledNumber
            id="alert-requests"
            label="Least requests"
            isRequired
            value={draft.minRequests}
            onChange={(minRequests) => onChange({ minRequests })}
          />
        </div>
      )}
      <Tick
        label="A team has few credits"
        isOn={draft.credits}
        onChange={(credits) => onChange({ credits })}
      />
      {draft.credits && (
        <LabelledNumber
          id="alert-credits"
          label="Fewer credits than"
          isRequired
          value={draft.below}
          onChange={(below) => onChange({ below })}
        />
      )}
    </>
  );
}
