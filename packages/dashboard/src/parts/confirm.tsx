import type { ComponentChildren } from "preact";

import type { Route } from "../client/ask.ts";
import { ActButton } from "./act-button.tsx";
import { useAttempt } from "./attempt.ts";
import { Dialog, ProblemLine } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  /** The verb on the button. */
  readonly verb: string;
  readonly route: Route;
  /** What the other button says, where "Cancel" could be taken for the verb. */
  readonly refusal?: string;
  /** What is done; its answer tells the operator how it ended. */
  readonly work: () => Promise<string>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something that cannot be undone, and stays until it is done. */
export function Confirm({
  title,
  verb,
  route,
  refusal = "Cancel",
  work,
  onDone,
  onClose,
  children,
}: ConfirmProps) {
  const { problem, isBusy, begin } = useAttempt(work, onDone);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="wrap">{children}</div>
      <ProblemLine problem={problem} />
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          {refusal}
        </button>
        <ActButton route={route} class="btn danger" disabled={isBusy} onClick={begin}>
          {verb}
        </ActButton>
      </div>
    </Dialog>
  );
}
