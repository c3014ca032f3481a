/** Messages to the thread of an interpreter. */
export type ToInterpreter =
  /** `source` evaluates to an array of two: text for the prelude, and a function that returns a promise. */
  | { readonly kind: "run"; readonly source: string }
  | { readonly kind: "reply"; readonly id: number; readonly text: string }
  /** The run has ended, so timers that are left are dropped. */
  | { readonly kind: "rest" };

/** Messages from the thread. */
export type FromInterpreter =
  | { readonly kind: "print"; readonly isError: boolean; readonly text: string }
  /** Text in, text out. The prelude and the host agree on its meaning. */
  | { readonly kind: "ask"; readonly id: number; readonly text: string }
  | { readonly kind: "done"; readonly result: string }
  /** Nothing runs until the next run. */
  | { readonly kind: "rested" }
  | { readonly kind: "failed"; readonly error: string; readonly trace: string };

export interface InterpreterStart {
  /**
   * Source of a function that is called once with `ask`, `print`, `later` and `end`. Code sees the globals
   * that it sets. It returns a function that receives both elements of each run's array.
   */
  readonly prelude: string;
  readonly engine: WebAssembly.Module;
  readonly maxBytes: number;
}
