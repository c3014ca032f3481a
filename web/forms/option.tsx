import type { ComponentChildren } from "preact";

interface OptionProps {
  readonly title: string;
  readonly help: string | undefined;
  /** Id of the control. */
  readonly id: string;
  readonly isSet: boolean;
  /** Whether the control gets a line of its own. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
}

/** A control with its name. The name is bold when the value is not the default. */
export function Option({ title, help, id, isSet, isTall = false, children }: OptionProps) {
  return (
    <div class={`option ${isTall ? "tall" : ""}`}>
      <label for={id} class={isSet ? "set" : ""} {...(help !== undefined && { title: help })}>
        {title}
      </label>
      {children}
    </div>
  );
}
