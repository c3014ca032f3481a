import { Switch } from "../parts/switch.tsx";
import type { FieldProps } from "./field-props.ts";
import { Option } from "./option.tsx";

export function SwitchField({ title, schema, value, id, onChange }: FieldProps) {
  const usual = schema.default === true;
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined}>
      <Switch
        id={id}
        label={title}
        isOn={typeof value === "boolean" ? value : usual}
        onChange={(isOn) => onChange(isOn === usual ? undefined : isOn)}
      />
    </Option>
  );
}

export function ChoiceField({ title, schema, value, id, isRequired, onChange }: FieldProps) {
  const choices = (schema.enum ?? []).map(String);
  const usual = typeof schema.default === "string" ? schema.default : undefined;
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined}>
      <select
        class="field narrow"
        id={id}
        value={typeof value === "string" ? value : (usual ?? "")}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          onChange(chosen === "" || chosen === usual ? undefined : chosen);
        }}
      >
        {usual === undefined && <option value="">{isRequired ? "choose" : "usual"}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </Option>
  );
}

export function NumberField({ title, schema, value, id, onChange }: FieldProps) {
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined}>
      <input
        class="field narrow num"
        id={id}
        type="number"
        inputMode="numeric"
        min={schema.minimum}
        max={schema.maximum}
        step={schema.type === "integer" ? 1 : "any"}
        placeholder={typeof schema.default === "number" ? String(schema.default) : "usual"}
        value={typeof value === "number" ? value : ""}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === "" ? undefined : Number(currentTarget.value))
        }
      />
    </Option>
  );
}

export function TextField({ title, schema, value, id, isRequired, onChange }: FieldProps) {
  const example = schema.default ?? schema.examples?.[0];
  return (
    <Option title={title} help={schema.description} id={id} isSet={value !== undefined} isTall>
      <input
        class="field"
        id={id}
        placeholder={typeof example === "string" ? example : ""}
        value={typeof value === "string" ? value : ""}
        required={isRequired}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === "" ? undefined : currentTarget.value)
        }
      />
    </Option>
  );
}
