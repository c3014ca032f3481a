import { useState } from "preact/hooks";

import type { CacheAnswer, PurgeRequest } from "@pergamon-dev/server/operator/cache";
import { ask } from "../../client/ask.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { Confirm } from "../../parts/confirm.tsx";
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
  return (
    <Confirm
      title={isWhole ? "Purge this host?" : "Purge this URL?"}
      verb="Purge"
      route="POST /admin/api/cache/purge"
      work={purge}
      onDone={() => {
        onClose();
        onPurged();
      }}
      onClose={onClose}
    >
      {isWhole
        ? `All cached pages of ${plainly(host)} are deleted. The next requests fetch them again.`
        : `All cached versions of ${plainly(url)} are deleted. The next request fetches the page again.`}
      <Tick label={`All pages of ${plainly(host)}`} isOn={isWhole} onChange={setWhole} />
    </Confirm>
  );
}

/** One request deletes so many; the rest takes further ones. */
async function purged(body: PurgeRequest): Promise<number> {
  const { removed, isCut } = await ask("POST /admin/api/cache/purge", { body });
  return removed + (isCut ? await purged(body) : 0);
}
