/** One measured figure and the limit it is held against. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  readonly isMet: boolean;
}

/** Prints figures as a table; a mark tells those that miss their limit. */
export function printFigures(figures: readonly Figure[]): void {
  const widths = (["name", "value", "limit"] as const).map((column) =>
    Math.max(...figures.map((figure) => figure[column].length)),
  );
  for (const { name, value, limit, isMet } of figures) {
    const cells = [name, value, limit].map((text, index) => text.padEnd(widths[index] ?? 0));
    process.stdout.write(`${isMet ? "ok  " : "MISS"}  ${cells.join("  ")}\n`);
  }
}
