import type { ValidateFunction } from "ajv";

import type { Capability, Options } from "../catalogue/capability.ts";
import { lazy } from "../../kit/lazy.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import { openRunWithin, OutOfTime, type RunWithin } from "./run-within.ts";

/** How long schemas that somebody else has written may take. */
const FOREIGN_COMPILE_MS = 1000;
const FOREIGN_CHECK_MS = 100;

type Check = (options: Options) => ValidateFunction["errors"];

/** Checks options against the schema of a capability. Schemas are compiled at first use, and kept. */
export class OptionsValidator {
  readonly #checks = new WeakMap<object, Check>();
  readonly #runWithin = lazy(openRunWithin);

  /** @returns the options with the schema's defaults. @throws ToolError invalid_options that names the place. */
  async check(capability: Pick<Capability, "options" | "isForeign">, options: Options): Promise<Options> {
    const check = this.#checks.get(capability.options) ?? (await this.#compile(capability));
    const filled = structuredClone(options);
    const [first] = check(filled) ?? [];
    if (!first) return filled;
    const place = first.instancePath ? `${first.instancePath.slice(1)}: ` : "";
    const name =
      first.keyword === "additionalProperties" ? ` (${String(first.params["additionalProperty"])})` : "";
    throw new ToolError(
      "invalid_options",
      `${place}${first.message ?? "The options do not match the schema."}${name}`,
    );
  }

  async #compile({ options: schema, isForeign = false }: Pick<Capability, "options" | "isForeign">) {
    const { default: Ajv } = await import("ajv");
    // One of its own: what was broken off in the middle leaves one that is of no use.
    const compile = () =>
      new Ajv.Ajv({
        strict: false,
        validateFormats: false,
        // Whoever declared a foreign schema fills in its defaults.
        useDefaults: !isForeign,
        ownProperties: true,
        // What is inlined again and again grows without end.
        inlineRefs: !isForeign,
        addUsedSchema: false,
      }).compile(schema);
    const check = isForeign ? foreignCheck(compile, this.#runWithin()) : plainCheck(compile());
    this.#checks.set(schema, check);
    return check;
  }
}

function plainCheck(validate: ValidateFunction): Check {
  return (options) => (validate(options) ? [] : validate.errors);
}

/** A schema that once took too long, or cannot be applied, is not tried again. */
function foreignCheck(compile: () => ValidateFunction, runWithin: RunWithin): Check {
  let refusal: ToolError | undefined;
  let validate: ValidateFunction | undefined;
  return (options) => {
    if (refusal) throw refusal;
    try {
      validate ??= runWithin(FOREIGN_COMPILE_MS, compile);
      const compiled = validate;
      return runWithin(FOREIGN_CHECK_MS, () => plainCheck(compiled)(options));
    } catch (failure) {
      const why = failure instanceof OutOfTime ? "takes too long to check" : "cannot be applied";
      refusal = new ToolError(
        "upstream_error",
        `The schema that the provider declares for these options ${why}.`,
      );
      throw refusal;
    }
  };
}
