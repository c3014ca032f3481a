/** One step of looking for elements: within what was found before. */
export type FindStep =
  /** A CSS selector, `text=…`, `xpath=…` or `//…`. */
  | { readonly by: "selector"; readonly selector: string }
  | { readonly by: "role"; readonly role: string; readonly name?: TextMatch }
  | { readonly by: "text" | "label"; readonly text: TextMatch }
  | { readonly by: "attribute"; readonly name: string; readonly text: TextMatch }
  | { readonly by: "nth"; readonly index: number }
  | { readonly by: "filter"; readonly hasText: TextMatch };

/** Text that is contained, in any case of letters; `exact` text; or a pattern. */
export interface TextMatch {
  readonly text: string;
  readonly isExact?: boolean;
  /** Flags of the pattern that `text` is then. */
  readonly flags?: string;
}
