import { useState } from "preact/hooks";

import { ask, messageOf } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { tell } from "../../parts/toasts.tsx";

/** Shows what the webhooks of a team are signed with, and changes it. */
export function WebhookSecretButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn" onClick={() => setOpen(true)}>
        Webhook secret
      </button>
      {isOpen && <SecretDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function SecretDialog({ onClose }: { readonly onClose: () => void }) {
  const [teamId, setTeamId] = useState(session.value?.defaultTeamId ?? "default");
  const [isAsking, setAsking] = useState(false);
  const params = { id: teamId };
  const loaded = useLoad(
    (signal) => ask("GET /admin/api/teams/{id}/webhook-secret", { params, signal }),
    [teamId],
  );
  async function rotate(): Promise<void> {
    setAsking(false);
    try {
      await ask("POST /admin/api/teams/{id}/webhook-secret", { params });
      tell("ok", "Webhooks are signed with a new secret from now on.");
      loaded.reload();
    } catch (problem) {
      tell("bad", messageOf(problem));
    }
  }
  return (
    <Dialog title="Webhook secret" onClose={onClose}>
      <TeamChoice value={teamId} onChange={setTeamId} />
      <p class="help">
        Receivers check the signature of each webhook with it: HMAC-SHA256 of the raw body, as hexadecimal.
      </p>
      <WithData loaded={loaded} lines={1}>
        {({ data: { secret } }) => <CopyLine value={secret} label="secret" />}
      </WithData>
      <div class="acts">
        <button type="button" class="btn danger" onClick={() => setAsking(true)}>
          New secret
        </button>
      </div>
      {isAsking && (
        <Confirm
          title="Sign with a new secret?"
          verb="Make a new secret"
          onConfirm={() => void rotate()}
          onClose={() => setAsking(false)}
        >
          Every webhook of this team is signed with it at once, also those that are sent again. Receivers that
          know only the old one refuse them.
        </Confirm>
      )}
    </Dialog>
  );
}
