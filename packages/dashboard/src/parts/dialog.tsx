import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { plainly } from "../format/foreign.ts";

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
