/** One step of a search, within the results of the step before. */
export type FindStep =
  /** CSS selector, `text=…`, `xpath=…` or `//…`. */
  | { readonly by: "selector"; readonly selector: string }
  | { readonly by: "role"; readonly role: string; readonly name?: TextMatch }
  | { readonly by: "text" | "label"; readonly text: TextMatch }
  | { readonly by: "attribute"; readonly name: string; readonly text: TextMatch }
  | { readonly by: "nth"; readonly index: number }
  | { readonly by: "filter"; readonly hasText: TextMatch };

/** Matches text that contains the given text in any case, the `exact` text, or a pattern. */
export interface TextMatch {
  readonly text: string;
  readonly isExact?: boolean;
  /** Flags of the pattern. When they are set, `text` is a pattern. */
  readonly flags?: string;
}
