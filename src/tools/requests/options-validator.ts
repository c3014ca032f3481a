import type { ValidateFunction } from "ajv";

import type { Capability, Options } from "../catalogue/capability.ts";
import { ToolError } from "../catalogue/tool-error.ts";

/** Checks options against the schema of a capability. Schemas are compiled at first use, and kept. */
export class OptionsValidator {
  readonly #compiled = new WeakMap<object, ValidateFunction>();

  /** @returns the options with the schema's defaults. @throws ToolError invalid_options that names the place. */
  async check({ options: schema }: Capability, options: Options): Promise<Options> {
    const validate = this.#compiled.get(schema) ?? (await this.#compile(schema));
    const filled = structuredClone(options);
    if (validate(filled)) return filled;
    const [first] = validate.errors ?? [];
    const place = first?.instancePath ? `${first.instancePath.slice(1)}: ` : "";
    const name =
      first?.keyword === "additionalProperties" ? ` (${String(first.params["additionalProperty"])})` : "";
    throw new ToolError("invalid_options", `${place}${first?.message ?? "The options do not fit."}${name}`);
  }

  async #compile(schema: object): Promise<ValidateFunction> {
    const { default: Ajv } = await import("ajv");
    const ajv = new Ajv.Ajv({
      strict: false,
      validateFormats: false,
      useDefaults: true,
      ownProperties: true,
    });
    const validate = ajv.compile(schema);
    this.#compiled.set(schema, validate);
    return validate;
  }
}
