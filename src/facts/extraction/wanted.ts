/** What a JSON Schema asks for, bounded: references are followed, unions decided, recursion ends. */
export type Wanted = WantedObject | WantedList | WantedScalar;

interface About {
  readonly description: string;
  readonly isNullable: boolean;
}

export interface WantedObject extends About {
  readonly kind: "object";
  readonly properties: readonly WantedProperty[];
  /** Whether it may have any property, because the schema names none. */
  readonly isOpen: boolean;
}

export interface WantedProperty {
  readonly name: string;
  readonly isRequired: boolean;
  readonly wanted: Wanted;
}

export interface WantedList extends About {
  readonly kind: "list";
  readonly items: Wanted;
  readonly fewest: number;
  readonly most: number;
}

export type ScalarType = "string" | "number" | "integer" | "boolean";

export interface WantedScalar extends About {
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
