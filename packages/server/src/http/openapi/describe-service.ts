import { errorCodes } from "../../api/error-codes.ts";
import type { OperationDescription } from "../../api/operation-shape.ts";
import { describeOperation } from "./describe-operation.ts";
import { requestShapes, schemaOf, type ShapeTable, shapeTableOf, answerShapes } from "./schemas.ts";

/**
 * The OpenAPI 3.1 document of the service, made from its operations.
 * @param publicUrl undefined: the address under which the client called the service.
 */
export function describeService(
  operations: readonly OperationDescription[],
  publicUrl: string | undefined,
): object {
  const requests = shapeTableOf(operations.flatMap(requestShapes));
  const answers = shapeTableOf(operations.flatMap(answerShapes));
  return {
    openapi: "3.1.0",
    info: {
      title: "Pergamon",
      version: "2",
      description: "Turns web pages into clean data. The error codes are listed at the end.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ bearerAuth: [] }, {}],
    tags: tagsOf(operations),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "An API key of the form fc-…. Not needed in open mode.",
        },
        operatorKey: { type: "http", scheme: "bearer", description: "ADMIN_KEY." },
      },
      schemas: { ...schemasOf(requests, "input"), ...schemasOf(answers, "output") },
    },
    servers: [{ url: publicUrl ?? "/" }],
  };
}

function schemasOf(shapes: ShapeTable, io: "input" | "output"): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...shapes].map(([name, { schema, documented = schema }]) => [name, schemaOf(documented, io)]),
  );
}

/** In the order in which readers see them. No operation has the last one: it holds the table of errors. */
function tagsOf(operations: readonly OperationDescription[]): readonly object[] {
  const names = new Set(operations.map(({ tag }) => tag));
  return [...[...names].map((name) => ({ name })), { name: "Errors", description: errorTable() }];
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`,
  );
  return ["| Status | Code | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function pathsOf(operations: readonly OperationDescription[]): Record<string, object> {
  const paths = new Map<string, Record<string, object>>();
  for (const operation of operations) {
    const [method = "", path = ""] = operation.line.split(" ");
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: describeOperation(operation) });
  }
  return Object.fromEntries(paths);
}
