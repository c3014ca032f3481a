import type { JsonSchema } from "../../forms/json-schema.ts";
import { Field } from "../../forms/field.tsx";
import { withMember } from "../../forms/object-field.tsx";
import type { Values } from "../../forms/field-props.ts";
import { FORMATS } from "../../forms/format-groups.ts";
import { WithData } from "../../parts/states.tsx";
import { LabelledText } from "../../parts/dialog-form.tsx";
import { useSchema } from "../../client/schema.ts";

/** Actions that give content, which a key can be restricted to like formats. */
const ACTIONS = ["scrape", "executeJavascript", "pdf"];

export interface KeyFormValue {
  readonly name: string;
  readonly restrictions: Values;
}

interface KeyFormProps {
  readonly value: KeyFormValue;
  readonly onChange: (value: KeyFormValue) => void;
}

/** The name of a key, and everything that it can be narrowed to, as the service describes it. */
export function KeyForm({ value, onChange }: KeyFormProps) {
  const schema = useSchema("NewKey");
  const { name, restrictions } = value;
  return (
    <>
      <LabelledText
        id="key-name"
        label="Name"
        hint="the program that uses it"
        value={name}
        onChange={(changed) => onChange({ ...value, name: changed })}
      />
      <WithData loaded={schema} lines={6}>
        {(known) => (
          <details open={Object.keys(restrictions).length > 0}>
            <summary class="chip">Restrictions</summary>
            <div class="stack">
              <p class="help">What is not set below is not restricted.</p>
              {Object.entries(restrictionsIn(known)).map(([restriction, part]) => (
                <div key={restriction}>
                  {TITLES[restriction] !== undefined && <span class="label">{TITLES[restriction]}</span>}
                  <Field
                    name={restriction}
                    schema={part}
                    value={restrictions[restriction]}
                    id={`key-${restriction}`}
                    isRequired={false}
                    onChange={(changed) =>
                      onChange({ ...value, restrictions: withMember(restrictions, restriction, changed) })
                    }
                  />
                </div>
              ))}
            </div>
          </details>
        )}
      </WithData>
    </>
  );
}

/** Restrictions whose controls do not name them. */
const TITLES: Readonly<Record<string, string>> = {
  formats: "Only these formats and actions",
  endpoints: "Only these endpoints",
};

/** The schema takes any name of a format: here they are chosen. */
function restrictionsIn({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { formats, ...others } = properties["restrictions"]?.properties ?? {};
  return { formats: { ...formats, items: { type: "string", enum: [...FORMATS, ...ACTIONS] } }, ...others };
}
