/** What runs in the page of a live view. It talks only to the WebSocket at the page's own address. */
import { keyInput, mouseInput, wheelInput } from "./live-input.ts";

const MOVE_INTERVAL_MS = 40;
const MAX_FAILURES = 3;
const MAX_PASTED_LENGTH = 100_000;
const LOST_CONNECTION = 1006;

/** Shows the session's page in the canvas `view`, and says in `state` what it waits for. */
function main(): void {
  const view = document.querySelector<HTMLCanvasElement>("#view");
  const state = document.querySelector<HTMLElement>("#state");
  if (!view || !state) return;
  const viewer = new Viewer(view, state);
  if (document.body.dataset["interactive"] === "true") listen(view, viewer);
  document.addEventListener("visibilitychange", () => viewer.changeVisibility());
  viewer.changeVisibility();
}

class Viewer {
  readonly #view: HTMLCanvasElement;
  readonly #state: HTMLElement;
  #socket: WebSocket | undefined;
  #failures = 0;

  constructor(view: HTMLCanvasElement, state: HTMLElement) {
    this.#view = view;
    this.#state = state;
  }

  /** Pictures that cannot be seen are not sent. */
  changeVisibility(): void {
    const socket = this.#socket;
    if (!document.hidden && !socket) this.#connect();
    if (!document.hidden || !socket) return;
    this.#socket = undefined;
    socket.close();
  }

  send(input: object | undefined): void {
    if (input && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(input));
  }

  #connect(): void {
    const socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/#.*/, ""));
    this.#socket = socket;
    socket.binaryType = "blob";
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.#say("Waiting for the page…");
    });
    socket.addEventListener("message", (event: MessageEvent<Blob>) => {
      if (this.#socket === socket) void this.#draw(event.data, socket);
    });
    socket.addEventListener("close", (event) => {
      if (this.#socket === socket) this.#end(event);
    });
  }

  async #draw(picture: Blob, socket: WebSocket): Promise<void> {
    const image = await createImageBitmap(picture);
    if (this.#view.width !== image.width || this.#view.height !== image.height) {
      this.#view.width = image.width;
      this.#view.height = image.height;
    }
    this.#view.getContext("2d")?.drawImage(image, 0, 0);
    image.close();
    // The connection may have ended while the picture was decoded: what was said about that stays.
    if (this.#socket === socket) this.#say("");
  }

  #end({ code, reason }: CloseEvent): void {
    this.#socket = undefined;
    if (document.hidden) return;
    if (code !== LOST_CONNECTION) return this.#say(reason || "The session has ended.");
    this.#failures += 1;
    if (this.#failures > MAX_FAILURES) return this.#say("The session has ended, or cannot be reached.");
    this.#say("Connecting…");
    setTimeout(() => {
      if (!this.#socket && !document.hidden) this.#connect();
    }, 1000 * this.#failures);
  }

  #say(text: string): void {
    this.#state.textContent = text;
    this.#state.hidden = text === "";
  }
}

function listen(view: HTMLCanvasElement, viewer: Viewer): void {
  listenToMouse(view, viewer);
  view.addEventListener("keydown", (event) => viewer.send(keyInput("keyDown", event, view)));
  view.addEventListener("keyup", (event) => viewer.send(keyInput("keyUp", event, view)));
  addEventListener("paste", (event) => {
    const text = (event.clipboardData?.getData("text/plain") ?? "").slice(0, MAX_PASTED_LENGTH);
    if (text) viewer.send({ type: "text", text });
  });
  view.focus();
}

function listenToMouse(view: HTMLCanvasElement, viewer: Viewer): void {
  let isPressed = false;
  let movedAtMs = 0;
  view.addEventListener("mousedown", (event) => {
    event.preventDefault();
    view.focus();
    isPressed = true;
    viewer.send(mouseInput("mousePressed", event, view));
  });
  addEventListener("mouseup", (event) => {
    if (!isPressed) return;
    isPressed = event.buttons !== 0;
    viewer.send(mouseInput("mouseReleased", event, view));
  });
  view.addEventListener("mousemove", (event) => {
    if (event.timeStamp - movedAtMs < MOVE_INTERVAL_MS) return;
    movedAtMs = event.timeStamp;
    viewer.send(mouseInput("mouseMoved", event, view));
  });
  view.addEventListener("contextmenu", (event) => event.preventDefault());
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    viewer.send(wheelInput(event, view));
  };
  view.addEventListener("wheel", onWheel, { passive: false });
}

main();
