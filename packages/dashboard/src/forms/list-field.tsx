import type { FieldProps } from "./field-props.ts";
import { variantsOf } from "./json-schema.ts";

type Entry = Readonly<Record<string, unknown>>;

/** A list of steps, each of a type with options, in the order in which they are taken. */
export function ListField({ title, schema, value, id, onChange, fields: Fields }: FieldProps) {
  const variants = variantsOf(schema);
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : [];
  const set = (changed: readonly Entry[]) => onChange(changed.length === 0 ? undefined : changed);
  return (
    <div class="stack">
      <div class="option">
        <label for={id} class={entries.length > 0 ? "set" : ""}>
          {title}
        </label>
        <select
          class="field steps"
          id={id}
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== "") set([...entries, { type: currentTarget.value }]);
            currentTarget.value = "";
          }}
        >
          <option value="">Add a step</option>
          {variants.map(({ name }, index) => (
            <option key={index} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {entries.map(({ type, ...options }, index) => (
        <div class="sub" key={index}>
          <div class="row between">
            <span class="name">{`${index + 1}. ${String(type)}`}</span>
            <button
              type="button"
              class="btn small quiet"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => set(entries.filter((_, other) => other !== index))}
            >
              ✕
            </button>
          </div>
          <Fields
            schema={variants.find(({ name }) => name === type)?.options ?? {}}
            value={options}
            id={`${id}-${index}`}
            onChange={(changed) =>
              set(entries.map((entry, other) => (other === index ? { type, ...changed } : entry)))
            }
          />
        </div>
      ))}
    </div>
  );
}
