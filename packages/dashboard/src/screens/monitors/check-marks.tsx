import type { CheckAnswer, OperatorMonitor } from "@pergamon-dev/server/monitor/operator";
import { count } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";

type Status = NonNullable<OperatorMonitor["lastStatus"]>;
type PageStatus = CheckAnswer["data"]["pages"][number]["status"];

const CHECKS = {
  queued: ["info", "Queued"],
  running: ["info", "Running"],
  completed: ["ok", "Completed"],
  partial: ["warn", "Partial"],
  failed: ["bad", "Failed"],
  skipped_overlap: ["warn", "Skipped: one was under way"],
  skipped_no_credits: ["warn", "Skipped: too few credits"],
} as const;

const PAGES = {
  same: ["ok", "same"],
  new: ["info", "new"],
  changed: ["info", "changed"],
  removed: ["warn", "removed"],
  error: ["bad", "error"],
} as const;

/** The result of a check. */
export function CheckState({ status }: { readonly status: Status }) {
  const [tone, words] = CHECKS[status];
  return <Badge tone={tone}>{words}</Badge>;
}

/** What became of a page. */
export function PageState({ status }: { readonly status: PageStatus }) {
  const [tone, words] = PAGES[status];
  return <Badge tone={tone}>{words}</Badge>;
}

/** `2 changed, 1 new`; what is 0 is left out. */
export function summaryInWords({
  changed,
  new: fresh,
  removed,
  error,
  same,
}: NonNullable<OperatorMonitor["lastSummary"]>): string {
  const parts = [
    [changed, "changed"],
    [fresh, "new"],
    [removed, "removed"],
    [error, "failed"],
  ] as const;
  const said = parts.filter(([value]) => value > 0).map(([value, word]) => `${count(value)} ${word}`);
  return said.length > 0 ? said.join(", ") : `${count(same)} same`;
}
