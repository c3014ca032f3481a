import type { ValidateFunction } from "ajv";

import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Capability, Options } from "../catalogue/capability.ts";
import { ToolError } from "../catalogue/tool-error.ts";

interface Fault {
  /** JSON pointer; empty for the options as a whole. */
  readonly place: string;
  readonly message: string;
}

/** @returns the first fault. The schema's defaults are written into the options. */
type Check = (options: Options) => Fault | undefined | Promise<Fault | undefined>;

/**
 * Short foreign schemas without slow keywords are applied on the main thread, as a thread would cost more.
 */
const MAX_PLAIN_LENGTH = 4096;
const MAY_TAKE_LONG =
  /"(?:pattern|patternProperties|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef|\$schema)":/;

/** Checks options against a capability's schema. Each schema is compiled at first use and cached. */
export class OptionsValidator {
  readonly #checks = new WeakMap<object, Check>();
  readonly #thread: Pick<ForeignThread, "faults">;

  /** @param thread applies foreign schemas. */
  constructor(thread: Pick<ForeignThread, "faults">) {
    this.#thread = thread;
  }

  /**
   * @returns the options with the schema's defaults.
   * @throws ToolError invalid_options that names the place.
   */
  async check(capability: Pick<Capability, "options" | "isForeign">, options: Options): Promise<Options> {
    const check = this.#checks.get(capability.options) ?? (await this.#open(capability));
    const filled = structuredClone(options);
    const fault = await check(filled);
    if (!fault) return filled;
    const place = fault.place === "" ? "" : `${fault.place.slice(1)}: `;
    throw new ToolError("invalid_options", `${place}${fault.message}`);
  }

  async #open({ options: schema, isForeign = false }: Pick<Capability, "options" | "isForeign">) {
    const text = isForeign ? JSON.stringify(schema) : "";
    const isPlain = text.length <= MAX_PLAIN_LENGTH && !MAY_TAKE_LONG.test(text);
    const check = isPlain ? await plainCheck(schema, isForeign) : foreignCheck(text, this.#thread);
    this.#checks.set(schema, check);
    return check;
  }
}

async function plainCheck(schema: object, isForeign: boolean): Promise<Check> {
  const {
    default: { Ajv },
  } = await import("ajv");
  const options = { strict: false, validateFormats: false, ownProperties: true, addUsedSchema: false };
  let validate: ValidateFunction;
  try {
    // The server that declared a foreign schema fills in its defaults itself.
    validate = new Ajv({ ...options, useDefaults: !isForeign, logger: false }).compile(schema);
  } catch (failure) {
    if (!isForeign) throw failure;
    throw refusalOf("cannot be applied");
  }
  return (given) => {
    if (validate(given)) return undefined;
    const [first] = validate.errors ?? [];
    const name =
      first?.keyword === "additionalProperties" ? ` (${String(first.params["additionalProperty"])})` : "";
    const message = `${first?.message ?? "The options do not match the schema."}${name}`;
    return { place: first?.instancePath ?? "", message };
  };
}

/** A schema that took too long once, or cannot be applied, is not tried again. */
function foreignCheck(text: string, thread: Pick<ForeignThread, "faults">): Check {
  let refusal: ToolError | undefined;
  return async (options) => {
    if (refusal) throw refusal;
    try {
      return (await thread.faults(text, options))[0];
    } catch (failure) {
      if (!(failure instanceof ForeignJsonError)) throw failure;
      const why = failure.kind === "too-large" ? "takes too long to check" : "cannot be applied";
      refusal = refusalOf(why);
      throw refusal;
    }
  };
}

function refusalOf(why: string): ToolError {
  return new ToolError("upstream_error", `The schema that the provider declares for these options ${why}.`);
}
