import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { Route } from "../client/ask.ts";
import { ActButton } from "./act-button.tsx";

interface LabelledFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A line of text with its name above it. */
export function LabelledText({
  id,
  label,
  hint = "",
  isRequired = false,
  value,
  onChange,
}: LabelledFieldProps) {
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <input
        class="field"
        id={id}
        required={isRequired}
        maxLength={200}
        placeholder={hint}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface NumberProps extends LabelledFieldProps {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number, from 1 on by default, or nothing, with its name above it. */
export function LabelledNumber({
  id,
  label,
  min = 1,
  max,
  hint = "",
  isRequired = false,
  value,
  onChange,
}: NumberProps) {
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <input
        class="field"
        id={id}
        type="number"
        min={min}
        max={max}
        required={isRequired}
        placeholder={hint}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface ChoiceProps<Choice extends string> {
  readonly id: string;
  readonly label: string;
  /** Values → their labels. */
  readonly choices: Readonly<Partial<Record<Choice, string>>>;
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
}

/** One of several values, with its name above it. */
export function LabelledChoice<Choice extends string>({
  id,
  label,
  choices,
  value,
  onChange,
}: ChoiceProps<Choice>) {
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <select
        class="field"
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Choice)}
      >
        {Object.entries<string | undefined>(choices).map(([choice, title]) => (
          <option key={choice} value={choice}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DialogFormProps {
  /** The verb on the button that sends the form. */
  readonly verb: string;
  readonly route: Route | undefined;
  readonly problem: string | undefined;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog: its fields, what is wrong, and the two ways out. */
export function DialogForm({ verb, route, problem, onSubmit, onClose, children }: DialogFormProps) {
  const [isBusy, setBusy] = useState(false);
  /** Twice the same would make two teams, or two keys. */
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    await onSubmit();
    setBusy(false);
  }
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      {children}
      <p class="problem wrap" role="alert">
        {problem}
      </p>
      <div class="acts">
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
        <ActButton route={route} type="submit" class="btn primary" disabled={isBusy}>
          {verb}
        </ActButton>
      </div>
    </form>
  );
}
