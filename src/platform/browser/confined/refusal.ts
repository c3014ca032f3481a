/** "Method not found" of JSON-RPC 2.0. */
export const NOT_AVAILABLE = -32_601;
/** "Invalid params" of JSON-RPC 2.0. */
const NOT_ALLOWED = -32_602;

/** Why a command is not carried out; the client is told. */
export class CommandRefusal extends Error {
  override readonly name = "Refusal";

  /** @param id of the command, where the client is not told otherwise */
  constructor(
    message: string,
    readonly code: number = NOT_ALLOWED,
    readonly id?: number,
  ) {
    super(message);
  }
}

/** What a client is told of a failure. @throws the failure itself, when it is none of the client's making */
export function commandRefusalOf(failure: unknown): CommandRefusal {
  if (failure instanceof CommandRefusal) return failure;
  if (failure instanceof RangeError) return new CommandRefusal("The parameters are nested too deeply.");
  throw failure;
}
