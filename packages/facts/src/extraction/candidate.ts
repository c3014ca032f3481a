import type { Concept } from "./concepts.ts";

/**
 * What gave a value away: structured data, metadata of the head, a label, the column of a table, its place in a card, a class or
 * name of its element, the target of a link, a selector of the schema, a rule for such values, or a model.
 */
export type FoundBy =
  | "data"
  | "metadata"
  | "label"
  | "table"
  | "card"
  | "name"
  | "link"
  | "selector"
  | "rule"
  | "model";

/** A value found on a page, with its label. */
export interface Candidate {
  /** Folded words, see `labelWords`. */
  readonly label: readonly string[];
  /** Known meaning, whatever the label says. */
  readonly concept?: Concept | undefined;
  /** Several values belong together. Never empty. */
  readonly values: readonly unknown[];
  readonly foundBy: FoundBy;
  /** Reliability, 0 to 1. */
  readonly weight: number;
  /** The element that contains it; -1 for data that readers do not see. */
  readonly node: number;
  /**
   * True inside a part that shows another page. Sets of things may come from there, but not the page's own
   * values.
   */
  readonly isTeased?: boolean;
}
