import type { AlertsAnswer } from "../../../src/contract/operator/alerts.ts";
import type { DraftProps } from "./draft.ts";
import { Tick } from "../../parts/tick.tsx";

interface ReceiversProps extends DraftProps {
  readonly data: AlertsAnswer["data"];
}

/** Where messages go. The URL of a webhook is often a key: what is set is not shown. */
export function Receivers({ data, draft, onChange }: ReceiversProps) {
  const { webhook, canMail } = data;
  const hint =
    draft.url === null ? "removed when saved" : webhook ? `${webhook.origin}/… is kept` : "https://";
  return (
    <>
      <div>
        <label class="label" for="alert-url">
          Webhook URL
        </label>
        <div class="row">
          <input
            class="field grow"
            id="alert-url"
            type="url"
            autocomplete="off"
            maxLength={2048}
            placeholder={hint}
            value={draft.url ?? ""}
            onInput={({ currentTarget }) => onChange({ url: currentTarget.value || undefined })}
          />
          {webhook !== null && draft.url !== null && (
            <button
              type="button"
              class="btn small"
              aria-label="Remove the webhook"
              onClick={() => onChange({ url: null })}
            >
              Remove
            </button>
          )}
        </div>
        <p class="help">
          Messages are JSON with a signature, and a member <code>text</code> that chat programs show.
        </p>
      </div>
      {webhook !== null && draft.url === undefined && (
        <Tick
          label="Make a new secret"
          isOn={draft.newSecret}
          onChange={(newSecret) => onChange({ newSecret })}
        />
      )}
      <Mail canMail={canMail} draft={draft} onChange={onChange} />
    </>
  );
}

function Mail({ canMail, draft, onChange }: DraftProps & { readonly canMail: boolean }) {
  return (
    <div>
      <label class="label" for="alert-mail">
        Mail to
      </label>
      <textarea
        class="field"
        id="alert-mail"
        rows={2}
        spellcheck={false}
        disabled={!canMail && draft.mail === ""}
        placeholder="one address per line"
        value={draft.mail}
        onInput={({ currentTarget }) => onChange({ mail: currentTarget.value })}
      />
      {!canMail && <p class="help">To send mail, set SMTP_URL and MAIL_FROM.</p>}
    </div>
  );
}
