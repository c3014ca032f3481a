import type { ComponentType } from "preact";

import { AnyField } from "./any-field.tsx";
import { DurationField } from "./duration-field.tsx";
import type { FieldProps, FieldsProps } from "./field-props.ts";
import { ListField } from "./list-field.tsx";
import { type JsonSchema, shapesOf, variantsOf, wordsOf } from "./json-schema.ts";
import { LinesField, MapField } from "./lines-field.tsx";
import { ObjectField, OptionalObjectField, withMember } from "./object-field.tsx";
import { SchemaField } from "./schema-field.tsx";
import { ChoiceField, NumberField, SwitchField, TextField } from "./simple-fields.tsx";
import { VariantsField } from "./variants-field.tsx";
import { plainly } from "../format/foreign.ts";

/** Options that are spans of time. */
const MILLISECONDS: ReadonlySet<string> = new Set(["maxAge", "minAge", "timeout", "waitFor", "milliseconds"]);

/** Accepted for old clients; a person has no use for it. */
const WITHOUT_EFFECT = "useMock";

interface Control {
  readonly fits: (schema: JsonSchema, name: string) => boolean;
  readonly component: ComponentType<FieldProps>;
}

/** Kinds of schemas → their controls. The first that fits is taken. */
const CONTROLS: readonly Control[] = [
  { fits: (schema, name) => name === "schema" && schema.properties === undefined, component: SchemaField },
  { fits: ({ type }) => type === "boolean", component: SwitchField },
  { fits: (schema) => schema.enum !== undefined, component: ChoiceField },
  { fits: (_, name) => MILLISECONDS.has(name), component: DurationField },
  { fits: ({ type }) => type === "integer" || type === "number", component: NumberField },
  { fits: ({ type }) => type === "string", component: TextField },
  { fits: (schema) => isOrNothing(schema, "string"), component: TextField },
  { fits: (schema) => schema.type === "array" && repeats(schema), component: ListField },
  { fits: (schema) => schema.type === "array" && variantsOf(schema).length > 0, component: VariantsField },
  { fits: ({ type, items }) => type === "array" && items?.type === "string", component: LinesField },
  { fits: isSwitchOrObject, component: OptionalObjectField },
  { fits: ({ type, properties }) => type === "object" && properties !== undefined, component: ObjectField },
  { fits: isMapOfTexts, component: MapField },
  { fits: () => true, component: AnyField },
];

/** The control of one option, made from its schema. */
export function Field(props: Omit<FieldProps, "title" | "fields">) {
  const control = CONTROLS.find(({ fits }) => fits(props.schema, props.name));
  const Component = control?.component ?? AnyField;
  return <Component {...props} title={plainly(wordsOf(props.name))} fields={Fields} />;
}

/** A control for each property. */
export function Fields({ schema, value, id, onChange }: FieldsProps) {
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, property]) =>
        name === WITHOUT_EFFECT ? null : (
          <Field
            key={name}
            name={name}
            schema={property}
            value={value[name]}
            id={`${id}-${name}`}
            isRequired={schema.required?.includes(name) ?? false}
            onChange={(changed) => onChange(withMember(value, name, changed))}
          />
        ),
      )}
    </>
  );
}

/** Whether entries may come several times: all are objects with a type, as steps are. */
function repeats(schema: JsonSchema): boolean {
  const variants = variantsOf(schema);
  return (
    variants.length > 0 && variants.every(({ canBeName, options }) => !canBeName && options !== undefined)
  );
}

function isOrNothing(schema: JsonSchema, wanted: string): boolean {
  const shapes = shapesOf(schema);
  return shapes.length === 2 && shapes[0]?.type === wanted && shapes[1]?.type === "null";
}

function isSwitchOrObject(schema: JsonSchema): boolean {
  const shapes = shapesOf(schema);
  return shapes.length === 2 && shapes[0]?.type === "boolean" && shapes[1]?.properties !== undefined;
}

function isMapOfTexts({ type, additionalProperties }: JsonSchema): boolean {
  return (
    type === "object" && typeof additionalProperties === "object" && additionalProperties.type === "string"
  );
}
