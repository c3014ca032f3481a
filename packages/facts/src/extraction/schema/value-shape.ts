/** A JSON Schema in bounded form: references are resolved, unions decided, and recursion is cut. */
export type ValueShape = ObjectShape | ListShape | ScalarShape;

interface About {
  readonly description: string;
  readonly isNullable: boolean;
  /** Where the schema says that the value stands. */
  readonly hint?: Hint | undefined;
}

/** The keywords `x-selector` or `x-selector-all`, `x-attribute` and `x-pattern`. */
export interface Hint {
  readonly selector: string | undefined;
  readonly attribute: string | undefined;
  readonly pattern: string | undefined;
}

export interface ObjectShape extends About {
  readonly kind: "object";
  readonly properties: readonly PropertyShape[];
  /** True if the schema names no properties, so that any are allowed. */
  readonly isOpen: boolean;
}

interface PropertyShape {
  readonly name: string;
  readonly isRequired: boolean;
  readonly wanted: ValueShape;
}

export interface ListShape extends About {
  readonly kind: "list";
  readonly items: ValueShape;
  readonly fewest: number;
  readonly most: number;
}

export type ScalarType = "string" | "number" | "integer" | "boolean";

export interface ScalarShape extends About {
  readonly kind: "scalar";
  /** Empty means any type. */
  readonly types: readonly ScalarType[];
  readonly format: string | undefined;
  /** The only allowed values; undefined means all. */
  readonly choices: readonly unknown[] | undefined;
  /** Only patterns that cannot backtrack exponentially are checked. */
  readonly pattern: RegExp | undefined;
  readonly least: number;
  readonly greatest: number;
  readonly shortest: number;
  readonly longest: number;
}
