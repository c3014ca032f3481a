import { type JsonObject, isJsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isWithin } from "./read-scalar.ts";
import { readNumber } from "./read-number.ts";
import { labelKey } from "./words.ts";
import type { ScalarType, ValueShape, ListShape, ObjectShape, ScalarShape } from "./schema/value-shape.ts";

/** A value converted to a schema, with the problems in words for its author. */
interface Conformed {
  /** Undefined if nothing of it fits. */
  readonly value: unknown;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 10;

/** Decides for single values whether to keep them. */
export type Believe = (value: unknown) => boolean;

/**
 * Converts a model's value to a schema: numeric text becomes a number, and a single value a list of one.
 * Properties outside the schema are dropped.
 */
export function conform(value: unknown, wanted: ValueShape, believe: Believe = () => true): Conformed {
  const problems: string[] = [];
  const conformed = new Conforming(problems, believe).any(value, wanted, "");
  return { value: conformed, problems: problems.slice(0, MAX_PROBLEMS) };
}

class Conforming {
  readonly #problems: string[];
  readonly #believe: Believe;

  constructor(problems: string[], believe: Believe) {
    this.#problems = problems;
    this.#believe = believe;
  }

  any(value: unknown, wanted: ValueShape, path: string): unknown {
    if (value === null || value === undefined) return wanted.isNullable && value === null ? null : undefined;
    if (wanted.kind === "object") return this.#object(value, wanted, path);
    return wanted.kind === "list" ? this.#list(value, wanted, path) : this.#scalar(value, wanted, path);
  }

  #object(value: unknown, { properties, isOpen }: ObjectShape, path: string): unknown {
    if (!isJsonObject(value)) return this.#problem(path, "must be an object");
    if (isOpen) return value;
    const entries: (readonly [string, unknown])[] = [];
    for (const { name, isRequired, wanted } of properties) {
      const inner = this.any(valueOf(value, name), wanted, `${path}/${name}`);
      if (inner !== undefined) entries.push([name, inner]);
      else if (isRequired && !wanted.isNullable) this.#problem(`${path}/${name}`, "is required");
    }
    const isOther =
      Object.keys(value).length > 0 && properties.every(({ name }) => valueOf(value, name) === undefined);
    return isOther
      ? this.#problem(path, "has none of the properties of the schema")
      : Object.fromEntries(entries);
  }

  #list(value: unknown, { items, most }: ListShape, path: string): unknown {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!Array.isArray(value) && items.kind === "object" && !isJsonObject(value))
      return this.#problem(path, "must be a list");
    return list
      .slice(0, most)
      .map((item, index) => this.any(item, items, `${path}/${index}`))
      .filter((item) => item !== undefined);
  }

  #scalar(value: unknown, wanted: ScalarShape, path: string): unknown {
    const coerced = coerce(value, wanted);
    if (coerced === undefined || !isWithin(coerced, wanted)) return this.#problem(path, problemOf(wanted));
    const isChosen = wanted.choices !== undefined || typeof coerced === "boolean";
    return isChosen || this.#believe(coerced) ? coerced : undefined;
  }

  #problem(path: string, sentence: string): undefined {
    this.#problems.push(`${path === "" ? "The value" : path} ${sentence}.`);
  }
}

/** Models vary the spelling of property names. */
function valueOf(value: JsonObject, name: string): unknown {
  const exact = ownProperty(value, name);
  if (exact !== undefined) return exact;
  const key = labelKey(name);
  const other = Object.keys(value).find((one) => labelKey(one) === key);
  return other === undefined ? undefined : ownProperty(value, other);
}

function problemOf({ choices, types }: ScalarShape): string {
  if (choices) return `must be one of ${JSON.stringify(choices).slice(0, 300)}`;
  return types.length > 0
    ? `must be a ${types.join(" or ")} within the limits of the schema`
    : "must be a plain value";
}

function coerce(value: unknown, { types, choices }: ScalarShape): unknown {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (choices) {
    return (
      choices.find((choice) => choice === single) ??
      choices.find((choice) => labelKey(String(choice)) === labelKey(String(single)))
    );
  }
  if (types.length === 0) return typeof single === "object" ? undefined : single;
  return types.map((type) => COERCE[type](single)).find((one) => one !== undefined);
}

const COERCE: Readonly<Record<ScalarType, (value: unknown) => unknown>> = {
  string(value) {
    if (typeof value === "string") return value.trim() === "" ? undefined : value;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  },
  number: readNumber,
  integer(value) {
    const number = readNumber(value);
    return number === undefined || !Number.isInteger(number) ? undefined : number;
  },
  boolean(value) {
    if (typeof value === "boolean") return value;
    const known: Readonly<Record<string, boolean>> = {
      true: true,
      yes: true,
      "1": true,
      false: false,
      no: false,
      "0": false,
    };
    return ownProperty(known, String(value).toLowerCase());
  },
};
