/** A line on standard error that says what is being done, when somebody looks. */
export interface ProgressLine {
  show(step: string): void;
  /** Takes the line away. */
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
