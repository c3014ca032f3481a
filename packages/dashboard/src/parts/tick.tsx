interface TickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A checkbox with its label. */
export function Tick({ label, isOn, onChange }: TickProps) {
  return (
    <label class="row tight">
      <input
        type="checkbox"
        class="check"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
