/** A rule as the sources have it, and how they would be without it. */
export interface Rule {
  readonly name: string;
  /** Below the root of the project. */
  readonly file: string;
  /** Source text that stands once in the file. */
  readonly from: string;
  /** What it becomes; `OFF` stands for whether the rule is switched off. */
  readonly to: string;
  /** Without it something is shown, run or believed that must not be: it stays whatever it brings. */
  readonly isSafety?: boolean;
}

/** What each page says for a rule: the site, and the score with the rule and without it. */
export interface Comparison {
  readonly rule: string;
  readonly site: string;
  readonly withRule: number;
  readonly without: number;
}
