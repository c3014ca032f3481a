import { useState } from "preact/hooks";

import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { WithData } from "../../parts/states.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const RIGHTS = { look: "Look on", act: "Click and type" } as const;

/** Makes a link by which people without a login can open a session. */
export function ShareButton({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton route="POST /admin/api/sessions/{id}/view" class="btn" onClick={() => setOpen(true)}>
        Share
      </ActButton>
      {isOpen && <ShareDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [right, setRight] = useState<string>("look");
  const loaded = useLoad(
    `share ${id} ${right}`,
    (signal) =>
      ask("POST /admin/api/sessions/{id}/view", {
        params: { id },
        body: { isInteractive: right === "act" },
        signal,
      }),
    { everyMs: "fixed" },
  );
  return (
    <Dialog title="Share the live view" onClose={onClose}>
      <Tabs label="What the link allows" tabs={RIGHTS} selected={right} onSelect={setRight} />
      <WithData loaded={loaded} lines={1}>
        {({ data: { path } }) => (
          <CopyLine value={`${session.value?.baseUrl ?? location.origin}${path}`} label="link" />
        )}
      </WithData>
      <p class="help">
        The link works without a login until the session ends. Anyone who has it can pass it on. It works
        where this address is reachable.
      </p>
    </Dialog>
  );
}
