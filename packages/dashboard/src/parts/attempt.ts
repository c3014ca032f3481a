import { useState } from "preact/hooks";

import { messageOf } from "../client/ask.ts";
import { tell } from "./toasts.tsx";

interface Attempt {
  /** Why the last attempt failed; undefined before the first one, and while one is under way. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly begin: () => void;
}

/**
 * Something that a dialog does. A failure is shown in the dialog, which stays open, so that the same can be tried again.
 *
 * @param work its answer tells the operator how it ended
 * @param onDone called after a success
 */
export function useAttempt(work: () => Promise<string>, onDone: () => void): Attempt {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  async function attempt(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      tell("ok", await work());
      onDone();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
    setBusy(false);
  }
  return { problem, isBusy, begin: () => void attempt() };
}
