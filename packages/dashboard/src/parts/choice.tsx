interface ChoiceProps {
  readonly label: string;
  /** What stands for no choice. Undefined: one of the options is chosen. */
  readonly all?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of some options, or any. */
export function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  return (
    <select
      class={`chip ${all === undefined || value === "" ? "" : "on"}`}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {Object.entries(options).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
