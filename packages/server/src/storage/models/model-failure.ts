interface FailureParticulars {
  readonly detail?: string;
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The reason why a model gave no answer. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  /**
   * `busy`: it may answer when asked again. `rejected`: it does not accept such a request. `refused`: it will
   * not answer. `wrong`: its reply is not an answer. `spent`: the caller has used up the tokens of the day,
   * so the model was not asked.
   */
  readonly kind: "busy" | "rejected" | "refused" | "wrong" | "spent";
  /** Message of the endpoint. It may quote the request, so it is not logged. */
  readonly detail: string;
  /** HTTP status of an error response. */
  readonly status: number | undefined;
  /** Wait that the endpoint asks for, in milliseconds, if it names one. */
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
