import type { ComponentType } from "preact";

import type { JsonSchema } from "./json-schema.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface FieldsProps {
  readonly schema: JsonSchema;
  readonly value: Values;
  readonly id: string;
  readonly onChange: (value: Values) => void;
}

/** What every control gets. An undefined value is the default, which is then left out of the request. */
export interface FieldProps {
  readonly name: string;
  readonly title: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly id: string;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
  /** Shows the options of an object within this one. */
  readonly fields: ComponentType<FieldsProps>;
}
