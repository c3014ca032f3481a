import type { Call } from "../api/call.ts";

/** A body that was not read to its end closes its connection. */
export async function receiving<Result>(
  call: Pick<Call, "setHeader">,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (failure) {
    call.setHeader("connection", "close");
    throw failure;
  }
}
