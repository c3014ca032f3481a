import type { Concept } from "./concepts.ts";

/** Something that a page says, with what it says of it. */
export interface Candidate {
  /** Folded words, see `labelWords`. */
  readonly label: readonly string[];
  /** What it is known to be, for any label. */
  readonly concept?: Concept | undefined;
  /** One, or several that belong together. Never empty. */
  readonly values: readonly unknown[];
  /** How reliable it is, from 0 to 1. */
  readonly weight: number;
  /** The element that contains it; -1 for what readers do not see. */
  readonly node: number;
  /** Whether it stands in a part that shows another page: what belongs to several things may be there, the page's own is not. */
  readonly isTeased?: boolean;
}
