/** A progress line on standard error, if that is a terminal. */
interface ProgressLine {
  show(step: string): void;
  /** Clears the line. */
  end(): void;
}

const ERASE = "\r\u001B[K";

export function progressLine(): ProgressLine {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  return {
    show: (step) => void process.stderr.write(`${ERASE}${step} …`),
    end: () => void process.stderr.write(ERASE),
  };
}

/** `1 page`, `2 pages`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Lines with columns that begin below their heads. The last column is not padded. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
