/** What a JSON Schema asks for, bounded: references are followed, unions decided, recursion ends. */
export type ValueShape = ObjectShape | ListShape | ScalarShape;

interface About {
  readonly description: string;
  readonly isNullable: boolean;
}

export interface ObjectShape extends About {
  readonly kind: "object";
  readonly properties: readonly PropertyShape[];
  /** Whether it may have any property, because the schema names none. */
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
  /** Empty: any. */
  readonly types: readonly ScalarType[];
  readonly format: string | undefined;
  /** The only values that are allowed; undefined: all. */
  readonly choices: readonly unknown[] | undefined;
  /** Only patterns whose time cannot explode are checked. */
  readonly pattern: RegExp | undefined;
  readonly least: number;
  readonly greatest: number;
  readonly shortest: number;
  readonly longest: number;
}
