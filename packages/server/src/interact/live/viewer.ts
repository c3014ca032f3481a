import type { WebSocket } from "ws";

import { parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { closeCodes } from "@pergamon-dev/browser/confined/message-socket";
import { LiveInput } from "@pergamon-dev/browser/screencast/live-input";
import type { ScreencastFrame, Screencast } from "@pergamon-dev/browser/screencast/screencast";

/** Viewers of one session at once. */
const MAX_VIEWERS = 8;
/** Events per viewer. Further ones are dropped, mouse movements first. */
const EVENTS_PER_SECOND = 100;
const KEPT_FOR_CLICKS = 20;

interface View {
  readonly screencast: Screencast;
  readonly isInteractive: boolean;
}

/** Sends the frames of a session to a viewer, at most as fast as the viewer receives them. */
export function showTo(socket: WebSocket, { screencast, isInteractive }: View): void {
  if (screencast.viewers >= MAX_VIEWERS) {
    return socket.close(closeCodes.tryAgainLater, `A session has at most ${MAX_VIEWERS} viewers.`);
  }
  const stop = screencast.watch({
    onFrame: newestTo(socket),
    onEnd: () => socket.close(closeCodes.goingAway, "The session has ended."),
  });
  const mayPass = eventLimit();
  socket.on("close", stop);
  socket.on("message", (data: Buffer) => {
    recordWork("live");
    if (!isInteractive) return socket.close(closeCodes.refused, "This view is read-only.");
    const input = readInput(data);
    if (!input) return socket.close(closeCodes.refused, "Unknown input.");
    if (mayPass(input)) screencast.input(input);
  });
}

/** Sends frames. While one is in transit, only the newest of the later ones is kept. */
function newestTo(socket: WebSocket): (frame: ScreencastFrame) => void {
  let isSending = false;
  let next: ScreencastFrame | undefined;

  const send = (frame: ScreencastFrame) => {
    isSending = true;
    socket.send(frame.jpeg, () => {
      isSending = false;
      const waiting = next;
      next = undefined;
      if (waiting) send(waiting);
    });
  };
  return (frame) => {
    if (isSending) next = frame;
    else send(frame);
  };
}

function readInput(data: Buffer): LiveInput | undefined {
  try {
    return LiveInput.parse(parseForeignJson(data.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Whether an event is within the limits of its viewer. */
function eventLimit(): (input: LiveInput) => boolean {
  let left = EVENTS_PER_SECOND;
  let refilledAtMs = performance.now();
  return (input) => {
    const nowMs = performance.now();
    const earned = ((nowMs - refilledAtMs) / 1000) * EVENTS_PER_SECOND;
    left = Math.min(EVENTS_PER_SECOND, left + earned);
    refilledAtMs = nowMs;
    const isMovement = input.type === "wheel" || (input.type === "mouse" && input.event === "mouseMoved");
    if (left < (isMovement ? KEPT_FOR_CLICKS : 1)) return false;
    left -= 1;
    return true;
  };
}
