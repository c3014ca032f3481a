import { useState } from "preact/hooks";

import type { SettingsAnswer } from "@pergamon-dev/server/operator/settings";
import { ask } from "../../client/ask.ts";
import { Choice } from "../../parts/choice.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { tell } from "../../parts/toasts.tsx";
import { Words } from "../../parts/words.tsx";

export type Setting = SettingsAnswer["data"]["settings"][number];

/** Values of settings that are known by a name. A test compares those of models with docs/models.md. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  LLM_BASE_URL: {
    "https://api.openai.com/v1": "OpenAI",
    "https://api.anthropic.com": "Anthropic",
    "https://generativelanguage.googleapis.com": "Google",
    "http://127.0.0.1:11434": "Ollama",
    "http://127.0.0.1:8080/v1": "llama.cpp",
    "http://127.0.0.1:8000/v1": "vLLM",
    "https://openrouter.ai/api/v1": "OpenRouter",
  },
};

interface ChangeProps {
  readonly part: string;
  readonly settings: readonly Setting[];
  readonly version: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** What was typed, by name; null takes a setting back. */
type Draft = Readonly<Record<string, string | null>>;

/** Changes the settings of a part together: what they lead to is tried with all of them. */
export function ChangeSettingsDialog({ part, settings, version, onChanged, onClose }: ChangeProps) {
  const [draft, setDraft] = useState<Draft>({});
  const [isTrying, setTrying] = useState(false);
  async function save(): Promise<void> {
    if (Object.keys(draft).length === 0) throw new Error("Nothing was changed.");
    setTrying(true);
    try {
      await ask("PATCH /admin/api/settings", { body: { changes: draft }, ifMatch: version });
      tell("ok", "Saved. All processes use it within 5 seconds.");
      onChanged();
      onClose();
    } finally {
      setTrying(false);
    }
  }
  return (
    <Dialog title={`Change: ${part}`} onClose={onClose}>
      <DialogForm
        verb={isTrying ? "Testing" : "Test and save"}
        route="PATCH /admin/api/settings"
        onSubmit={save}
        outdated={{ what: "The settings were", reload: onChanged }}
        onClose={onClose}
      >
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            draft={draft[setting.name]}
            onChange={(value) => setDraft(changed(draft, setting, value))}
          />
        ))}
        <p class="help">
          What these settings lead to is tested before they are saved. A key that is not typed again is
          removed when its URL changes.
        </p>
      </DialogForm>
    </Dialog>
  );
}

/** Unchanged settings are not sent. A key, which is never shown, counts as kept while nothing is typed. */
function changed(draft: Draft, { name, value, isSecret }: Setting, typed: string | null): Draft {
  const { [name]: _before, ...others } = draft;
  const isSame = typed === "" ? isSecret || value === null : typed === value;
  return isSame ? others : { ...others, [name]: typed === "" ? null : typed };
}

interface FieldProps {
  readonly setting: Setting;
  readonly draft: string | null | undefined;
  readonly onChange: (value: string | null) => void;
}

function SettingField({ setting, draft, onChange }: FieldProps) {
  const { name, help, value, isSet, isSecret, usual } = setting;
  const id = `setting-${name}`;
  const shown = draft === undefined ? (value ?? "") : (draft ?? "");
  const kept = isSecret && isSet ? "set, never shown" : (usual ?? "not set").replaceAll("`", "");
  return (
    <div>
      <label class="label mono" for={id}>
        {name}
      </label>
      <div class="row">
        <input
          class="field grow"
          id={id}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-help`}
          placeholder={draft === null ? "removed when saved" : kept}
          value={shown}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        {KNOWN[name] && (
          <Choice
            label={`Known values of ${name}`}
            all="Other"
            options={KNOWN[name]}
            value={shown in KNOWN[name] ? shown : ""}
            onChange={onChange}
          />
        )}
        {isSecret && isSet && draft === undefined && (
          <button
            type="button"
            class="btn small"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(null)}
          >
            Remove
          </button>
        )}
      </div>
      <p class="help" id={`${id}-help`}>
        <Words text={help} />
      </p>
    </div>
  );
}
