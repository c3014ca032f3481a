import { z } from "zod";

import { failure, rateLimit } from "../../api/common-shapes.ts";
import { failuresOf, type OperationDescription, type Shape } from "../../api/operation-shape.ts";

/** Shapes by the names under which operations refer to them. */
export type ShapeTable = ReadonlyMap<string, Shape>;

/** The shapes of the bodies that an operation takes. */
export function requestShapes({ body, or }: OperationDescription): readonly Shape[] {
  return [body, or?.body].filter((shape) => shape !== undefined);
}

/** The shapes of all that an operation answers with. */
export function answerShapes(operation: OperationDescription): readonly Shape[] {
  const { answer, or, failure: own = failure } = operation;
  const successes = [answer, or?.answer].filter((shape) => shape !== undefined && "schema" in shape);
  return [...successes, own, ...(failuresOf(operation).includes(429) ? [rateLimit] : [])];
}

/** @throws Error when two shapes have the same name. */
export function shapeTableOf(shapes: readonly Shape[]): ShapeTable {
  const table = new Map<string, Shape>();
  for (const shape of shapes) {
    if ((table.get(shape.name) ?? shape) !== shape)
      throw new Error(`Two shapes have the name ${shape.name}.`);
    table.set(shape.name, shape);
  }
  return table;
}

/** The JSON Schema of a schema. Switches that only old clients send are left out. */
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
