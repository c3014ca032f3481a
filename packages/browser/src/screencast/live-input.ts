import { z } from "zod";

import type { CdpSession } from "../cdp/cdp-session.ts";

/**
 * Horizontal and vertical position as a share of the image, 0 to 1, as its size may differ from the page's.
 */
const Share = z.number().min(0).max(1);
/** Bit mask: Alt 1, Control 2, Meta 4, Shift 8. */
const Modifiers = z.int().min(0).max(15).default(0);
const Place = { x: Share, y: Share, modifiers: Modifiers };
const Name = z.string().max(40);

export const LiveInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("mouse"),
    event: z.enum(["mousePressed", "mouseReleased", "mouseMoved"]),
    ...Place,
    button: z.enum(["none", "left", "middle", "right"]).default("none"),
    buttons: z.int().min(0).max(31).default(0),
    clickCount: z.int().min(0).max(3).default(0),
  }),
  z.strictObject({
    type: z.literal("wheel"),
    ...Place,
    deltaX: z.number().min(-10_000).max(10_000),
    deltaY: z.number().min(-10_000).max(10_000),
  }),
  z.strictObject({
    type: z.literal("key"),
    event: z.enum(["keyDown", "keyUp"]),
    key: Name,
    code: Name,
    /** `KeyboardEvent.keyCode`. */
    keyCode: z.int().min(0).max(255),
    /** Text that the key types, if any. */
    text: z.string().max(8).optional(),
    location: z.int().min(0).max(3).default(0),
    isRepeated: z.boolean().default(false),
    modifiers: Modifiers,
  }),
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(100_000) }),
]);
export type LiveInput = z.infer<typeof LiveInput>;

/** Size of the viewed page's window, in its own pixels. */
interface Window {
  readonly width: number;
  readonly height: number;
}

/** Sends a viewer's input to the page. The page's reaction is ignored. */
export function deliverInput(session: CdpSession, window: Window, input: LiveInput): void {
  if (input.type === "text") return session.post("Input.insertText", { text: input.text });
  if (input.type === "key") return deliverKey(session, input);
  const { modifiers } = input;
  const place = { x: input.x * window.width, y: input.y * window.height, modifiers };
  if (input.type === "wheel") {
    const { deltaX, deltaY } = input;
    return session.post("Input.dispatchMouseEvent", { type: "mouseWheel", deltaX, deltaY, ...place });
  }
  const { event: type, button, buttons, clickCount } = input;
  session.post("Input.dispatchMouseEvent", { type, button, buttons, clickCount, ...place });
}

function deliverKey(session: CdpSession, input: Extract<LiveInput, { type: "key" }>): void {
  const { event, key, code, keyCode, text, location, isRepeated, modifiers } = input;
  session.post("Input.dispatchKeyEvent", {
    // A key without text is not a character.
    type: event === "keyDown" && text === undefined ? "rawKeyDown" : event,
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    ...(text !== undefined && { text }),
    location,
    autoRepeat: isRepeated,
    modifiers,
  });
}
