/** Of each operation for the operator. The dashboard's client takes its types from the operations. */
export const forOperator = { access: "operator", tag: "Operator" } as const;
