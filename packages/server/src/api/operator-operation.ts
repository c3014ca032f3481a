import type { OperationDescription } from "./operation-shape.ts";

type ForOperator = Omit<OperationDescription, "access" | "tag">;

/** Describes an operation for the operator. The dashboard's client takes its types from here; `admin/` handles it. */
export function operatorOperation<const Description extends ForOperator>(description: Description) {
  return { access: "operator", tag: "Operator", ...description } as const;
}
