/** Shared by all operator operations. The dashboard's client takes its types from the operations. */
export const forOperator = { access: "operator", tag: "Operator" } as const;
