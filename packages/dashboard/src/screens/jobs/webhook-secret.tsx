import { useState } from "preact/hooks";

import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";

/** The audit log tells of each time that it is asked for. */
const SECRET = "GET /admin/api/teams/{id}/webhook-secret";

/** Shows what the webhooks of a team are signed with, and changes it. */
export function WebhookSecretButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton route={SECRET} class="btn" onClick={() => setOpen(true)}>
        Webhook secret
      </ActButton>
      {isOpen && <SecretDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function SecretDialog({ onClose }: { readonly onClose: () => void }) {
  const [teamId, setTeamId] = useState(session.value?.defaultTeamId ?? "default");
  const [isAsking, setAsking] = useState(false);
  const params = { id: teamId };
  const loaded = useAnswer(SECRET, { params }, { everyMs: "fixed" });
  async function rotate(): Promise<string> {
    await ask("POST /admin/api/teams/{id}/webhook-secret", { params });
    return "Webhooks are signed with a new secret from now on.";
  }
  function onRotated(): void {
    setAsking(false);
    loaded.reload();
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
        <ActButton
          route="POST /admin/api/teams/{id}/webhook-secret"
          class="btn danger"
          onClick={() => setAsking(true)}
        >
          New secret
        </ActButton>
      </div>
      {isAsking && (
        <Confirm
          title="Sign with a new secret?"
          verb="Make a new secret"
          route="POST /admin/api/teams/{id}/webhook-secret"
          work={rotate}
          onDone={onRotated}
          onClose={() => setAsking(false)}
        >
          Every webhook of this team is signed with it at once, also those that are sent again. Receivers that
          know only the old one refuse them.
        </Confirm>
      )}
    </Dialog>
  );
}
