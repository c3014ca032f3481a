import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { ScreencastFrame, Screencast } from "./screencast.ts";

/**
 * Returns the current image of the page. @throws Error when the session ends meanwhile; the signal's reason.
 */
export async function oneFrame(screencast: Screencast, signal: AbortSignal): Promise<ScreencastFrame> {
  let stop: () => void = () => undefined;
  const frame = new Promise<ScreencastFrame>((resolve, reject) => {
    stop = screencast.watch({
      onFrame: resolve,
      onEnd: () => reject(new Error("The session has ended.")),
    });
  });
  return untilAborted(frame, signal).finally(() => stop());
}
