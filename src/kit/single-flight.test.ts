import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";

import { untilAborted } from "./single-flight.ts";

test("work that fails after everybody has gone disturbs nobody", async () => {
  const unheard: unknown[] = [];
  const note = (failure: unknown) => unheard.push(failure);
  process.on("unhandledRejection", note);
  try {
    const work = nextTurn().then(() => {
      throw new Error("of the work");
    });
    await expect(untilAborted(work, AbortSignal.abort(new Error("of the caller")))).rejects.toThrow(
      "of the caller",
    );
    await nextTurn();
    await nextTurn();
    expect(unheard).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
