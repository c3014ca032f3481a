interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly id?: string;
}

/** On or off. */
export function Switch({ label, isOn, onChange, id }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      {...(id !== undefined && { id })}
      onClick={() => onChange(!isOn)}
    />
  );
}
