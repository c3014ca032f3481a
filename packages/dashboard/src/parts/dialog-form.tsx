import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";

import { messageOf, type Route, ServiceProblem } from "../client/ask.ts";
import { hasMistake } from "../forms/first-mistake.ts";
import { ActButton } from "./act-button.tsx";
import { ProblemLine } from "./dialog.tsx";

const OUTDATED = "changed in the meantime. Close this dialog and open it again.";

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
  /** What it throws is told in the form, which stays. */
  readonly onSubmit: () => Promise<void>;
  /** What somebody else may have changed meanwhile, such as "This key was", and how it is loaded again. */
  readonly outdated?: { readonly what: string; readonly reload: () => void };
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog: its fields, what is wrong, and the two ways out. */
export function DialogForm({ verb, route, onSubmit, outdated, onClose, children }: DialogFormProps) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  /** Twice the same would make two teams, or two keys. */
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (hasMistake(event.currentTarget)) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onSubmit();
    } catch (failure) {
      const isOutdated = outdated && failure instanceof ServiceProblem && failure.status === 412;
      if (isOutdated) outdated.reload();
      setProblem(isOutdated ? `${outdated.what} ${OUTDATED}` : messageOf(failure));
    }
    setBusy(false);
  }
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      {children}
      <ProblemLine problem={problem} />
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
