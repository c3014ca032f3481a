import type { CdpConnection } from "../cdp/cdp-connection.ts";
import type { CdpSession } from "../cdp/cdp-session.ts";
import type { OwnTargets } from "../confined/own-targets.ts";
import { deliverInput, type LiveInput } from "./live-input.ts";

/** Pictures of a page that changes all the time, at most this often. */
const FRAME_INTERVAL_MS = 100;
/** Text stays readable; a page of words takes about 25 KB. */
const FORMAT = { format: "jpeg", quality: 60, maxWidth: 1280, maxHeight: 720 } as const;

/** A picture of the page, and how large the page shows it. */
export interface ScreencastFrame {
  readonly jpeg: Buffer;
  /** Of the page's window, in its own pixels. */
  readonly width: number;
  readonly height: number;
}

/** A viewer. */
interface Viewer {
  /** Called for every picture, the current one first. Slow viewers miss some. */
  onFrame(frame: ScreencastFrame): void;
  /** The session has ended. */
  onEnd(): void;
}

/** What a session looks like now, and a way to touch it. Without viewers nothing is drawn for it. */
export interface Screencast {
  /** Begins to show pictures of the newest page. Returns what ends it. */
  watch(viewer: Viewer): () => void;
  /** Performs the input of a viewer. Without viewers nothing happens. */
  input(input: LiveInput): void;
  readonly viewers: number;
}

/** A page that is being shown. */
interface Shown {
  readonly targetId: string;
  readonly sessionId: string;
  readonly session: CdpSession;
}

/** @returns a screencast of the newest page of the targets, whichever that is */
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

  /** Pages are turned one after the other. */
  #turnSoon(): void {
    this.#turning = this.#turning.then(() => this.#turn()).catch(() => undefined);
  }

  /** Shows the page that should be shown now, if that is another one. */
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

  /** The browser draws the next picture once this one is acknowledged. */
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
