import type { CdpConnection } from "../cdp/cdp-connection.ts";
import type { CdpSession } from "../cdp/cdp-session.ts";
import type { OwnTargets } from "../confined/own-targets.ts";
import { deliverInput, type LiveInput } from "./live-input.ts";

/** Minimum interval between images of a page that changes all the time. */
const FRAME_INTERVAL_MS = 100;
/** Text stays readable. A text page takes about 25 KB. */
const FORMAT = { format: "jpeg", quality: 60, maxWidth: 1280, maxHeight: 720 } as const;

/** An image of the page, and the size of the page's window. */
export interface ScreencastFrame {
  readonly jpeg: Buffer;
  /** Size of the page's window, in its own pixels. */
  readonly width: number;
  readonly height: number;
}

interface Viewer {
  /** Called for every image, the current one first. Slow viewers miss some. */
  onFrame(frame: ScreencastFrame): void;
  /** Called when the session has ended. */
  onEnd(): void;
}

/** Shows a session to viewers, and passes their input to it. Without viewers, nothing is drawn. */
export interface Screencast {
  /** Starts to show images of the newest page. Returns a function that stops it. */
  watch(viewer: Viewer): () => void;
  /** Performs a viewer's input. Without viewers nothing happens. */
  input(input: LiveInput): void;
  readonly viewers: number;
}

interface Shown {
  readonly targetId: string;
  readonly sessionId: string;
  readonly session: CdpSession;
}

/** Opens a screencast that follows the newest page of the targets. */
export function openScreencast(connection: CdpConnection, targets: OwnTargets): Screencast {
  return new NewestPage(connection, targets);
}

class NewestPage implements Screencast {
  readonly #connection: CdpConnection;
  readonly #targets: OwnTargets;
  readonly #viewers = new Set<Viewer>();
  #shown: Shown | undefined;
  #frame: ScreencastFrame | undefined;
  #lastAckAtMs = Number.NEGATIVE_INFINITY;
  #turning: Promise<void> = Promise.resolve();

  constructor(connection: CdpConnection, targets: OwnTargets) {
    this.#connection = connection;
    this.#targets = targets;
    targets.onChange(() => this.#turnSoon());
    connection.whenLost(() => {
      for (const viewer of this.#viewers) viewer.onEnd();
    });
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  watch(viewer: Viewer): () => void {
    this.#viewers.add(viewer);
    if (this.#frame) viewer.onFrame(this.#frame);
    this.#turnSoon();
    return () => {
      this.#viewers.delete(viewer);
      this.#turnSoon();
    };
  }

  input(input: LiveInput): void {
    if (this.#shown && this.#frame) deliverInput(this.#shown.session, this.#frame, input);
  }

  /** Switches between pages one after another. */
  #turnSoon(): void {
    this.#turning = this.#turning.then(() => this.#turn()).catch(() => undefined);
  }

  /** Shows the newest page, if another one is shown. */
  async #turn(): Promise<void> {
    const wanted = this.#viewers.size > 0 ? this.#targets.pages.at(-1) : undefined;
    if (wanted === this.#shown?.targetId || this.#connection.isLost) return;
    this.#leave();
    if (wanted !== undefined) await this.#show(wanted);
  }

  async #show(targetId: string): Promise<void> {
    const { browser } = this.#connection;
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    const session = this.#connection.session(sessionId);
    const shown = { targetId, sessionId, session };
    this.#shown = shown;
    session.on("Page.screencastFrame", ({ data, metadata, sessionId: number }) => {
      if (this.#shown !== shown) return;
      const { deviceWidth: width, deviceHeight: height } = metadata;
      this.#tell({ jpeg: Buffer.from(data, "base64"), width, height });
      this.#acknowledge(session, number);
    });
    session.whenFailed(() => {
      if (this.#shown === shown) this.#shown = undefined;
      this.#turnSoon();
    });
    await session.send("Page.enable");
    await session.send("Page.startScreencast", FORMAT);
  }

  /** The browser draws the next image once this one is acknowledged. */
  #acknowledge(session: CdpSession, number: number): void {
    const waitMs = Math.max(0, this.#lastAckAtMs + FRAME_INTERVAL_MS - performance.now());
    this.#lastAckAtMs = performance.now() + waitMs;
    const acknowledge = () => session.post("Page.screencastFrameAck", { sessionId: number });
    if (waitMs === 0) acknowledge();
    else setTimeout(acknowledge, waitMs).unref();
  }

  #tell(frame: ScreencastFrame): void {
    this.#frame = frame;
    for (const viewer of this.#viewers) viewer.onFrame(frame);
  }

  #leave(): void {
    const left = this.#shown;
    this.#shown = undefined;
    this.#frame = undefined;
    if (!left || left.session.failure) return;
    left.session.post("Page.stopScreencast");
    this.#connection.detach(left.sessionId);
  }
}
