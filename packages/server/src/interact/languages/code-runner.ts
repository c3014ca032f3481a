export interface CodeCall {
  readonly language: "node" | "python" | "bash";
  readonly code: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Result of code. Failed code has a result too. */
export interface CodeResult {
  /** At most a megabyte each. `truncated` says whether text was cut. */
  readonly stdout: string;
  readonly stderr: string;
  readonly result: string;
  readonly exitCode: number;
  /** True: the code was killed because its time was over or it used too many resources. */
  readonly killed: boolean;
  readonly truncated: boolean;
  /** Text of the exception. */
  readonly error?: string;
}

/** Runs the code of one session, one call at a time. */
export interface CodeRunner {
  /**
   * @throws ServiceError CODE_NOT_AVAILABLE, with the reason, for code that this installation cannot run.
   * @throws the signal's reason once `signal` is aborted; the code does not continue then.
   */
  run(call: CodeCall): Promise<CodeResult>;
  close(): Promise<void>;
}
