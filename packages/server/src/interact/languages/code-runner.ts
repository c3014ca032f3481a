/** Code of a caller, and how long it may take. */
export interface CodeCall {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of it. Code that fails is a result like another. */
export interface CodeResult {
  /** At most a megabyte each; `truncated` says whether text was cut. */
  readonly stdout: string;
  readonly stderr: string;
  readonly result: string;
  readonly exitCode: number;
  /** Whether it was ended, because its time was over or because it took too much. */
  readonly killed: boolean;
  readonly truncated: boolean;
  /** What the code threw. */
  readonly error?: string;
}

/** Runs the code of one session, a call at a time. */
export interface CodeRunner {
  /**
   * @throws ServiceError CODE_NOT_AVAILABLE for what this installation cannot do, with the reason.
   * @throws the signal's reason, once `signal` is aborted; nothing of the code runs on.
   */
  run(call: CodeCall): Promise<CodeResult>;
  close(): Promise<void>;
}
