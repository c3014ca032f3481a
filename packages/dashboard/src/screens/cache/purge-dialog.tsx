import { useState } from "preact/hooks";

import type { CacheAnswer, PurgeRequest } from "@pergamon-dev/server/operator/cache";
import { ask } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { useAttempt } from "../../parts/attempt.ts";
import { Dialog, ProblemLine } from "../../parts/dialog.tsx";
import { Tick } from "../../parts/tick.tsx";

interface PurgeProps {
  readonly entry: CacheAnswer["data"][number];
  readonly onPurged: () => void;
  readonly onClose: () => void;
}

/** Deletes the versions of a page, or all pages of its host. */
export function PurgeDialog({ entry: { id, url }, onPurged, onClose }: PurgeProps) {
  const [isWhole, setWhole] = useState(false);
  const { host } = new URL(url);
  const purge = async () => `Deleted ${plural(await purged(isWhole ? { host } : { id }), "version")}.`;
  const { problem, isBusy, begin } = useAttempt(purge, () => {
    onClose();
    onPurged();
  });
  return (
    <Dialog title={isWhole ? "Purge this host?" : "Purge this URL?"} onClose={onClose}>
      <p class="wrap">
        {isWhole
          ? `All cached pages of ${plainly(host)} are deleted. The next requests fetch them again.`
          : `All cached versions of ${plainly(url)} are deleted. The next request fetches the page again.`}
      </p>
      <Tick label={`All pages of ${plainly(host)}`} isOn={isWhole} onChange={setWhole} />
      <ProblemLine problem={problem} />
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
        <ActButton route="POST /admin/api/cache/purge" class="btn danger" disabled={isBusy} onClick={begin}>
          Purge
        </ActButton>
      </div>
    </Dialog>
  );
}

/** One request deletes so many; the rest takes further ones. */
async function purged(body: PurgeRequest): Promise<number> {
  const { removed, isCut } = await ask("POST /admin/api/cache/purge", { body });
  return removed + (isCut ? await purged(body) : 0);
}
