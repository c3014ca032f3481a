import { Switch } from "../parts/switch.tsx";
import type { FieldProps, Values } from "./field-props.ts";
import { shapesOf } from "./json-schema.ts";
import { Option } from "./option.tsx";

/** The object with one member changed, or left out when it is undefined. */
export function withMember(value: Values, name: string, changed: unknown): Values {
  const { [name]: _, ...others } = value;
  return changed === undefined ? others : { ...value, [name]: changed };
}

/** An object whose options can be folded away. */
export function ObjectField({ title, schema, value, id, isRequired, onChange, fields: Fields }: FieldProps) {
  const members = isObject(value) ? value : {};
  // Nothing is missing in an object that is not sent.
  const isSent = isRequired || isObject(value);
  return (
    <details class="sub" open={isObject(value)}>
      <summary {...(schema.description !== undefined && { title: schema.description })}>{title}</summary>
      <Fields
        schema={isSent ? schema : { ...schema, required: [] }}
        value={members}
        id={id}
        onChange={(changed) => onChange(Object.keys(changed).length === 0 ? undefined : changed)}
      />
    </details>
  );
}

/** On, off, or on with options. */
export function OptionalObjectField({ title, schema, value, id, onChange, fields: Fields }: FieldProps) {
  const options = shapesOf(schema).find(({ properties }) => properties !== undefined) ?? {};
  const isOn = value === true || isObject(value);
  return (
    <>
      <Option title={title} help={schema.description} id={id} isSet={value !== undefined}>
        <Switch id={id} label={title} isOn={isOn} onChange={(on) => onChange(on ? true : undefined)} />
      </Option>
      {isOn && (
        <div class="sub">
          <Fields
            schema={options}
            value={isObject(value) ? value : {}}
            id={id}
            onChange={(changed) => onChange(Object.keys(changed).length === 0 ? true : changed)}
          />
        </div>
      )}
    </>
  );
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
