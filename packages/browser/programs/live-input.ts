/** Events of the viewer's page as inputs of the session's page. */

const BUTTONS = ["left", "middle", "right"];
const MAX_CLICKS = 3;
/** Pixels of one step of a wheel, by `deltaMode`: pixels, lines, pages. */
const WHEEL_UNITS = [1, 20, 600];
const MAX_WHEEL = 10_000;

type MouseKind = "mousePressed" | "mouseReleased" | "mouseMoved";

export function mouseInput(type: MouseKind, event: MouseEvent, view: Element): object {
  const button = type === "mouseMoved" ? "none" : (BUTTONS[event.button] ?? "none");
  const clickCount = Math.min(MAX_CLICKS, event.detail || 0);
  return {
    type: "mouse",
    event: type,
    button,
    buttons: event.buttons & 31,
    clickCount,
    ...placeOf(event, view),
  };
}

export function wheelInput(event: WheelEvent, view: Element): object {
  const unit = WHEEL_UNITS[event.deltaMode] ?? 1;
  const limit = (value: number) => Math.min(MAX_WHEEL, Math.max(-MAX_WHEEL, value * unit));
  return { type: "wheel", deltaX: limit(event.deltaX), deltaY: limit(event.deltaY), ...placeOf(event, view) };
}

/** Undefined for keys that stay with the viewer: pasting, and Shift with Escape, which leaves the picture. */
export function keyInput(
  type: "keyDown" | "keyUp",
  event: KeyboardEvent,
  view: HTMLElement,
): object | undefined {
  if (event.isComposing || event.key === "Process" || event.key === "Unidentified") return undefined;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return undefined;
  if (event.key === "Escape" && event.shiftKey) {
    view.blur();
    return undefined;
  }
  event.preventDefault();
  return {
    type: "key",
    event: type,
    key: event.key,
    code: event.code,
    keyCode: event.keyCode & 255,
    text: type === "keyDown" ? textOf(event) : undefined,
    location: event.location,
    isRepeated: event.repeat,
    modifiers: modifiersOf(event),
  };
}

function textOf(event: KeyboardEvent): string | undefined {
  const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
  const isShortcut = hasModifier && !event.getModifierState("AltGraph");
  if (event.key === "Enter") return "\r";
  const isCharacter = /^.$/su.test(event.key);
  return isCharacter && !isShortcut ? event.key : undefined;
}

/** Shares of the picture's width and height. */
function placeOf(event: MouseEvent, view: Element): object {
  const box = view.getBoundingClientRect();
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return {
    x: share((event.clientX - box.left) / box.width),
    y: share((event.clientY - box.top) / box.height),
    modifiers: modifiersOf(event),
  };
}

function modifiersOf(event: MouseEvent | KeyboardEvent): number {
  return (
    (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)
  );
}
