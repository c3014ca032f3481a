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
