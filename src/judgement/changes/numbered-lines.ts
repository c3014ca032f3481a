/** Marks on the lines of two versions: those that are gone, and those that are new. */
export interface LineEdits {
  readonly removed: readonly boolean[];
  readonly added: readonly boolean[];
}

/** Lines of two versions as numbers: equal lines have equal numbers. */
export interface NumberedLines {
  readonly before: readonly number[];
  readonly after: readonly number[];
}
