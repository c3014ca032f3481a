/** Messages to the thread of an interpreter. */
export type ToInterpreter =
  /** `source` is an array of two: text for the prelude, and a function that returns a promise. */
  | { readonly kind: "run"; readonly source: string }
  | { readonly kind: "reply"; readonly id: number; readonly text: string }
  /** The run has ended: what waits for a time waits no more. */
  | { readonly kind: "rest" };

/** What it says. */
export type FromInterpreter =
  | { readonly kind: "print"; readonly isError: boolean; readonly text: string }
  /** Text in, text out: what it means is agreed between who wrote the prelude and who answers. */
  | { readonly kind: "ask"; readonly id: number; readonly text: string }
  | { readonly kind: "done"; readonly result: string }
  /** Nothing continues until the next run. */
  | { readonly kind: "rested" }
  | { readonly kind: "failed"; readonly error: string; readonly trace: string };

/** What the thread starts with. */
export interface InterpreterStart {
  /**
   * Source of a function that is called once with `ask`, `print`, `later` and `end`; what it makes global is what code finds.
   * It returns the function that is called with the two of each run.
   */
  readonly prelude: string;
  readonly engine: WebAssembly.Module;
  readonly maxBytes: number;
}
