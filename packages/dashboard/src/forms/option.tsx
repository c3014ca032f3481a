import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface OptionProps {
  readonly title: string;
  readonly help: string | undefined;
  /** Id of the control; undefined while there is none that a name could stand for. */
  readonly id: string | undefined;
  readonly isSet: boolean;
  /** Whether the control gets a line of its own. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
}

/** A control with its name and what it does. The name is bold when the value is not the default. */
export function Option({ title, help, id, isSet, isTall = false, children }: OptionProps) {
  const [isExplained, setExplained] = useState(false);
  const name = isSet ? "name set" : "name";
  return (
    <div class={`option ${isTall ? "tall" : ""}`}>
      <span class="row tight">
        {id === undefined ? (
          <span class={name}>{title}</span>
        ) : (
          <label for={id} class={name}>
            {title}
          </label>
        )}
        {help !== undefined && <Explain about={title} isOpen={isExplained} onChange={setExplained} />}
      </span>
      {children}
      {isExplained && <p class="help wrap">{help}</p>}
    </div>
  );
}

interface ExplainProps {
  /** What is explained. */
  readonly about: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}

/** Unfolds help, by touch and by keyboard too. */
export function Explain({ about, isOpen, onChange }: ExplainProps) {
  return (
    <button type="button" class="explain" aria-expanded={isOpen} onClick={() => onChange(!isOpen)}>
      <span aria-hidden="true">?</span>
      <span class="unseen">{`What is this: ${about}`}</span>
    </button>
  );
}
