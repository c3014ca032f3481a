import type { ComponentChildren } from "preact";

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

/** A control with its name. The name is bold when the value is not the default. */
export function Option({ title, help, id, isSet, isTall = false, children }: OptionProps) {
  const named = { class: isSet ? "name set" : "name", ...(help !== undefined && { title: help }) };
  return (
    <div class={`option ${isTall ? "tall" : ""}`}>
      {id === undefined ? (
        <span {...named}>{title}</span>
      ) : (
        <label for={id} {...named}>
          {title}
        </label>
      )}
      {children}
    </div>
  );
}
