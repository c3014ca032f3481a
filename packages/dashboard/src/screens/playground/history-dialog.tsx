import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { Empty } from "../../parts/states.tsx";
import { forgetHistory, history, type HistoryEntry } from "./history.ts";
import { formatsOf } from "./run.ts";

interface HistoryDialogProps {
  readonly onOpen: (entry: HistoryEntry) => void;
  readonly onClose: () => void;
}

/** The last runs of this browser. One that is opened fills the form, and shows what came as long as that is stored. */
export function HistoryDialog({ onOpen, onClose }: HistoryDialogProps) {
  const entries = history.value;
  return (
    <Dialog title="History" onClose={onClose}>
      {entries.length === 0 ? (
        <Empty title="No runs yet">The last 20 scrapes of this browser appear here.</Empty>
      ) : (
        <>
          <ul class="history">
            {entries.map((entry) => (
              <li key={entry.at}>
                <button type="button" onClick={() => onOpen(entry)}>
                  <span class="mono cut foreign">{addressOf(entry)}</span>
                  <span class="row tight">
                    <Badge tone={entry.isGood ? "ok" : "bad"}>{entry.result}</Badge>
                    <span class="faint cut foreign">{plainly(summaryOf(entry))}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <p class="help">Kept in this browser, without headers.</p>
          <div class="acts">
            <button type="button" class="btn" onClick={forgetHistory}>
              Clear history
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function addressOf({ body: { url } }: HistoryEntry): string {
  return typeof url === "string" ? shortUrl(url) : "";
}

function summaryOf({ at, body, durationMs, creditsUsed }: HistoryEntry): string {
  const formats = formatsOf(body).join(", ");
  return [moment(at), formats, duration(durationMs), plural(creditsUsed, "credit")]
    .filter(Boolean)
    .join(" · ");
}
