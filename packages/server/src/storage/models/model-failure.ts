interface FailureParticulars {
  readonly detail?: string;
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why a model gave no answer. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  /**
   * `busy`: it may answer when asked again. `rejected`: it does not take such a request. `refused`: it will not answer.
   * `wrong`: what it says is not an answer. `spent`: the caller has used up the tokens of the day, so the model was not
   * asked.
   */
  readonly kind: "busy" | "rejected" | "refused" | "wrong" | "spent";
  /** What the endpoint said. It may quote what it was sent, so it is not logged. */
  readonly detail: string;
  /** What the endpoint answered, where that was not a success. */
  readonly status: number | undefined;
  /** How long it asks to be left alone, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelFailure["kind"],
    message: string,
    { detail = "", status, retryAfterMs, cause }: FailureParticulars = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.detail = detail;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
