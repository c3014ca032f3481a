import { z } from "zod";

import type { CallContext, Capability, ToolOutput } from "../catalogue/capability.ts";
import { ToolError } from "../catalogue/tool-error.ts";

interface BuiltinDefinition<Input extends z.ZodObject> extends Pick<
  Capability,
  "id" | "name" | "description" | "creditsCost" | "readOnly" | "example"
> {
  readonly options: Input;
  call(options: z.output<Input>, context: CallContext): Promise<ToolOutput>;
}

/** Defines a capability that this service implements. */
export function defineBuiltin<Input extends z.ZodObject>(definition: BuiltinDefinition<Input>): Capability {
  const { options, call, ...facts } = definition;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(options, { io: "input" });
  return {
    ...facts,
    takesNoPlace: true,
    perRecord: false,
    maxRecords: 1,
    options: schema,
    async execute(given, context) {
      const parsed = options.safeParse(given);
      if (parsed.success) return call(parsed.data, context);
      const [issue] = parsed.error.issues;
      throw new ToolError("invalid_options", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
    },
  };
}

/** @throws ToolError when `found` is undefined. */
export function mustFind<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new ToolError("invalid_options", `Not found: ${what}.`);
  return found;
}
