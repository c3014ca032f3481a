/** What runs in the page of a live view. It talks to the WebSocket at the page's own address, and to nobody else. */
export const LIVE_SCRIPT = `"use strict";
const view = document.getElementById("view");
const state = document.getElementById("state");
const context = view.getContext("2d");
const isInteractive = document.body.dataset.interactive === "true";
const MOVE_INTERVAL_MS = 40;
let socket;
let failures = 0;
let movedAt = 0;
let isPressed = false;

function say(text) {
  state.textContent = text;
  state.hidden = text === "";
}

function connect() {
  const own = new WebSocket(location.href.replace(/^http/, "ws").replace(/#.*/, ""));
  socket = own;
  own.binaryType = "blob";
  own.onopen = () => { failures = 0; say("Waiting for the page\\u2026"); };
  own.onmessage = (event) => { if (socket === own) draw(event.data); };
  own.onclose = (event) => { if (socket === own) ended(event); };
}

async function draw(picture) {
  const image = await createImageBitmap(picture);
  if (view.width !== image.width || view.height !== image.height) {
    view.width = image.width;
    view.height = image.height;
  }
  context.drawImage(image, 0, 0);
  image.close();
  say("");
}

function ended({ code, reason }) {
  socket = undefined;
  if (document.hidden) return;
  if (code !== 1006) return say(reason || "The session has ended.");
  failures += 1;
  if (failures > 3) return say("The session has ended, or cannot be reached.");
  say("Connecting\\u2026");
  setTimeout(() => { if (!socket && !document.hidden) connect(); }, 1000 * failures);
}

function send(input) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(input));
}

function modifiersOf(event) {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}

function placeOf(event) {
  const box = view.getBoundingClientRect();
  const share = (value) => Math.min(1, Math.max(0, value));
  return {
    x: share((event.clientX - box.left) / box.width),
    y: share((event.clientY - box.top) / box.height),
    modifiers: modifiersOf(event),
  };
}

function mouse(type, event) {
  const button = type === "mouseMoved" ? "none" : ["left", "middle", "right"][event.button] || "none";
  const clickCount = Math.min(3, event.detail || 0);
  send({ type: "mouse", event: type, button, buttons: event.buttons & 31, clickCount, ...placeOf(event) });
}

function textOf(event) {
  const isShortcut = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (event.key === "Enter") return "\\r";
  return event.key.length <= 2 && [...event.key].length === 1 && !isShortcut ? event.key : undefined;
}

function key(type, event) {
  if (event.isComposing || event.key === "Process" || event.key === "Unidentified") return;
  const isPaste = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v";
  // Shift and Escape leave the picture, for those who have no mouse.
  if (isPaste || (event.key === "Escape" && event.shiftKey)) return isPaste || view.blur();
  event.preventDefault();
  send({
    type: "key",
    event: type,
    key: event.key,
    code: event.code,
    keyCode: event.keyCode & 255,
    text: type === "keyDown" ? textOf(event) : undefined,
    location: event.location,
    isRepeated: event.repeat,
    modifiers: modifiersOf(event),
  });
}

function touchable() {
  view.addEventListener("mousedown", (event) => {
    event.preventDefault();
    view.focus();
    isPressed = true;
    mouse("mousePressed", event);
  });
  addEventListener("mouseup", (event) => {
    if (!isPressed) return;
    isPressed = event.buttons !== 0;
    mouse("mouseReleased", event);
  });
  view.addEventListener("mousemove", (event) => {
    if (event.timeStamp - movedAt < MOVE_INTERVAL_MS) return;
    movedAt = event.timeStamp;
    mouse("mouseMoved", event);
  });
  view.addEventListener("contextmenu", (event) => event.preventDefault());
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 20 : 600;
    const limit = (value) => Math.min(10000, Math.max(-10000, value * unit));
    send({ type: "wheel", deltaX: limit(event.deltaX), deltaY: limit(event.deltaY), ...placeOf(event) });
  }, { passive: false });
  view.addEventListener("keydown", (event) => key("keyDown", event));
  view.addEventListener("keyup", (event) => key("keyUp", event));
  addEventListener("paste", (event) => {
    const text = (event.clipboardData ? event.clipboardData.getData("text/plain") : "").slice(0, 100000);
    if (text) send({ type: "text", text });
  });
  view.focus();
}

// What nobody sees is not sent.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !socket) return connect();
  if (document.hidden && socket) {
    const own = socket;
    socket = undefined;
    own.close();
  }
});
if (isInteractive) touchable();
if (!document.hidden) connect();
`;
