/** "Method not found" of JSON-RPC 2.0. */
export const NOT_AVAILABLE = -32_601;
/** "Invalid params" of JSON-RPC 2.0. */
const NOT_ALLOWED = -32_602;

/** The reason why a command is refused, for the client. */
export class CommandRefusal extends Error {
  override readonly name = "Refusal";

  /** @param id id of the command, unless the client learns it otherwise */
  constructor(
    message: string,
    readonly code: number = NOT_ALLOWED,
    readonly id?: number,
  ) {
    super(message);
  }
}

/** Converts a failure to the client's error. @throws the failure itself if the client did not cause it */
export function commandRefusalOf(failure: unknown): CommandRefusal {
  if (failure instanceof CommandRefusal) return failure;
  if (failure instanceof RangeError) return new CommandRefusal("The parameters are nested too deeply.");
  throw failure;
}
