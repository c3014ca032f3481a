import { z } from "zod";

/** JSON Schemas by the names under which operations refer to them. */
export function schemasOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema, io)]));
}

/** The JSON Schema of a schema. Switches that only old clients send are not told. */
export function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      dropMachineBounds(jsonSchema);
      // Where input and output differ, zod leaves out those of the input, too.
      const { default: usual, examples } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, usual !== undefined && { default: usual }, examples && { examples });
    },
  });
  if (!rest.properties) return rest;
  const told = Object.entries(rest.properties).filter(([name]) => !name.startsWith("__"));
  return { ...rest, properties: Object.fromEntries(told) };
}

/** That a number is one that computers can count to says nothing, and tools show it as an example. */
function dropMachineBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
