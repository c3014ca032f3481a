import { useState } from "preact/hooks";

import { plainly } from "../format/foreign.ts";
import { CopyLine } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** The longest address that a row shows; the window behind it has all of it. */
const SHOWN_CHARACTERS = 300;

/** An address from a foreign page: it is shown in full before it can be opened. */
export function ForeignLink({ url }: { readonly url: string }) {
  const [isAsking, setAsking] = useState(false);
  if (!isWebAddress(url))
    return <span class="mono wrap foreign">{plainly(url.slice(0, SHOWN_CHARACTERS))}</span>;
  return (
    <>
      <button type="button" class="foreign-link mono foreign" onClick={() => setAsking(true)}>
        {plainly(url.slice(0, SHOWN_CHARACTERS))}
      </button>
      {isAsking && <LeaveDialog url={url} onClose={() => setAsking(false)} />}
    </>
  );
}

interface LeaveDialogProps {
  readonly url: string;
  readonly onClose: () => void;
}

/** Shows where a link leads, and leads there. */
export function LeaveDialog({ url, onClose }: LeaveDialogProps) {
  return (
    <Dialog title="This link leads to another site" onClose={onClose}>
      <p class="help">The link comes from the scraped page. Your browser opens it, not Pergamon.</p>
      <CopyLine value={url} label="address" />
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          Stay here
        </button>
        <a class="btn" href={url} target="_blank" rel="noopener noreferrer nofollow" onClick={onClose}>
          Open it
        </a>
      </div>
    </Dialog>
  );
}

/** Whether a browser may be sent there. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
