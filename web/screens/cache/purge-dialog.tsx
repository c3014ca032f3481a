import { useState } from "preact/hooks";

import type { CacheAnswer } from "../../../src/contract/operator/storage.ts";
import { ask } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Tick } from "../../parts/tick.tsx";
import { act } from "../../parts/toasts.tsx";

interface PurgeProps {
  readonly entry: CacheAnswer["data"][number];
  readonly onPurged: () => void;
  readonly onClose: () => void;
}

/** Deletes the versions of a page, or all pages of its host. */
export function PurgeDialog({ entry: { url }, onPurged, onClose }: PurgeProps) {
  const [isWhole, setWhole] = useState(false);
  const { host } = new URL(url);
  async function purge(): Promise<void> {
    onClose();
    await act(async () => `Deleted ${plural(await purged(isWhole ? { host } : { url }), "version")}.`);
    onPurged();
  }
  return (
    <Dialog title={isWhole ? "Purge this host?" : "Purge this URL?"} onClose={onClose}>
      <p class="wrap">
        {isWhole
          ? `All cached pages of ${plainly(host)} are deleted. The next requests fetch them again.`
          : `All cached versions of ${plainly(url)} are deleted. The next request fetches the page again.`}
      </p>
      <Tick label={`All pages of ${plainly(host)}`} isOn={isWhole} onChange={setWhole} />
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="btn danger" onClick={() => void purge()}>
          Purge
        </button>
      </div>
    </Dialog>
  );
}

/** One request deletes so many; the rest takes further ones. */
async function purged(body: { readonly url: string } | { readonly host: string }): Promise<number> {
  const { removed, isCut } = await ask("POST /admin/api/cache/purge", { body });
  return removed + (isCut ? await purged(body) : 0);
}
