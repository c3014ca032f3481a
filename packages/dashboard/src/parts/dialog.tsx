import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import type { Route } from "../client/ask.ts";
import { plainly } from "../format/foreign.ts";
import { ActButton } from "./act-button.tsx";
import { useAttempt } from "./attempt.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A window over the page, open as long as it is rendered. Escape and its cross close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    element.current?.showModal();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={onClose} onCancel={onClose}>
      <header>
        <h2 class="grow wrap foreign">{plainly(title)}</h2>
        <button type="button" class="btn quiet small" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <div class="body">{children}</div>
    </dialog>
  );
}

/** Why what a dialog wanted to do has failed. */
export function ProblemLine({ problem }: { readonly problem: string | undefined }) {
  return (
    <p class="problem wrap foreign" role="alert">
      {problem === undefined ? "" : plainly(problem)}
    </p>
  );
}

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
      <p class="wrap">{children}</p>
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
