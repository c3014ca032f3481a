import type { Session } from "./session.ts";

export interface TokenTarget {
  readonly kind: "cdp" | "live";
  readonly interactive: boolean;
  readonly session: Session;
}

export interface SessionChange {
  readonly id: string;
  readonly state: "active" | "destroyed";
}

/** The sessions of this process, with their tokens. */
export class LiveSessions {
  readonly #byId = new Map<string, Session>();
  readonly #tokens = new Map<string, TokenTarget>();
  readonly #onChange: (change: SessionChange) => void;

  /** @param onChange called when a session has begun or ended. */
  constructor(onChange: (change: SessionChange) => void) {
    this.#onChange = onChange;
  }

  /** Number of sessions, including those that are ending. */
  get count(): number {
    return this.#byId.size;
  }

  /** Keeps a session until it has ended. Its tokens are invalid once it is ending. */
  add(session: Session): void {
    const { id } = session.facts;
    const { cdp, liveView, interactiveLiveView } = session.tokens;
    this.#byId.set(id, session);
    this.#tokens.set(cdp, { kind: "cdp", interactive: true, session });
    this.#tokens.set(liveView, { kind: "live", interactive: false, session });
    this.#tokens.set(interactiveLiveView, { kind: "live", interactive: true, session });
    session.whenEnding(() => {
      for (const token of Object.values(session.tokens)) this.#tokens.delete(token as string);
    });
    session.whenEnded(() => {
      this.#byId.delete(id);
      this.#onChange({ id, state: "destroyed" });
    });
    this.#onChange({ id, state: "active" });
  }

  /** A session of any team, including one that is ending. */
  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** A session of any team, unless it is ending. */
  active(id: string): Session | undefined {
    const session = this.#byId.get(id);
    return session?.isEnding ? undefined : session;
  }

  /** The session of a scrape, unless it is ending. */
  ofScrape(scrapeId: string): Session | undefined {
    return [...this.#byId.values()].find(({ facts, isEnding }) => facts.scrapeId === scrapeId && !isEnding);
  }

  byToken(token: string): TokenTarget | undefined {
    return this.#tokens.get(token);
  }

  async end(): Promise<void> {
    await Promise.allSettled([...this.#byId.values()].map((session) => session.end("shutdown")));
  }
}
