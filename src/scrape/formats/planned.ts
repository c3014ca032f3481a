import type { FormatRequest } from "./format.ts";

/**
 * What requests for the formats are checked by whose machinery is not built yet. They are validated like the others
 * and then refused; a format that gets built moves from here to a file of its own. All are built.
 */
export const plannedFormats = {} as const satisfies Readonly<Record<string, FormatRequest>>;
