import type { Protocol } from "devtools-protocol";

import type { CdpConnection } from "../cdp/cdp-connection.ts";
import { withSessionId } from "../cdp/message-tail.ts";
import type { OwnTargets } from "./own-targets.ts";

/** A browser session that a client uses. */
export interface ClientSession {
  readonly id: string;
  /** Whether commands go to the browser or to one target. */
  readonly level: "browser" | "page";
  /** Id that the client uses; undefined for the session of commands without an id. */
  readonly shownId: string | undefined;
  /** Targets that were announced to the client in this session. */
  readonly toldTargets: Set<string>;
  /** Stops its events. */
  readonly stop: () => void;
}

interface TargetEvent {
  readonly params: {
    readonly targetId: string;
    readonly sessionId: string;
    readonly targetInfo: Protocol.Target.TargetInfo;
  };
}

interface ClientSessionsParts {
  readonly connection: CdpConnection;
  readonly targets: OwnTargets;
  readonly send: (text: string) => void;
}

/** Decides about an event. @returns whether the client gets it. */
type Judge = (this: ClientSessions, session: ClientSession, event: TargetEvent) => boolean;

/**
 * The sessions of one client, and the events that it receives: all events of its own pages, and from the
 * browser only those about its context. Sessions of others, and all their messages, stay invisible.
 */
export class ClientSessions {
  readonly #parts: ClientSessionsParts;
  readonly #sessions = new Map<string, ClientSession>();
  #first: ClientSession | undefined;

  constructor(parts: ClientSessionsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** @param shownId as the client names it; undefined for the session of commands without an id */
  find(shownId: string | undefined): ClientSession | undefined {
    if (shownId === undefined) return this.#first;
    const session = this.#sessions.get(shownId);
    return session?.shownId === undefined ? undefined : session;
  }

  /**
   * Opens a session with the browser. Targets attached in it do not affect other sessions. The first needs no
   * name.
   */
  async openBrowserSession(): Promise<ClientSession> {
    const { sessionId } = await this.#parts.connection.browser.send("Target.attachToBrowserTarget");
    const session = this.#add(sessionId, "browser", this.#first ? sessionId : undefined);
    this.#first ??= session;
    return session;
  }

  /** Ends a session with the browser and everything attached in it. @returns false for sessions of pages */
  closeBrowserSession(sessionId: string): boolean {
    if (this.#sessions.get(sessionId)?.level !== "browser") return false;
    this.#parts.connection.browser.post("Target.detachFromTarget", { sessionId });
    this.#remove(sessionId);
    return true;
  }

  end(): void {
    for (const { id, level, stop } of this.#sessions.values()) {
      stop();
      if (level === "browser") {
        this.#parts.connection.browser.post("Target.detachFromTarget", { sessionId: id });
      }
    }
    this.#sessions.clear();
    this.#first = undefined;
  }

  /**
   * Makes the target the client's own, so that the client gets its events and may send it commands. Other
   * targets continue unaffected.
   */
  admit(session: ClientSession, { params: { sessionId, targetInfo } }: TargetEvent): boolean {
    if (!this.#parts.targets.isOwn(targetInfo)) {
      this.#forward("Runtime.runIfWaitingForDebugger", {}, sessionId);
      this.#forward("Target.detachFromTarget", { sessionId }, session.id);
      return false;
    }
    this.#parts.targets.note(targetInfo);
    this.#add(sessionId, "page", sessionId);
    return true;
  }

  leave(_session: ClientSession, { params: { sessionId } }: TargetEvent): boolean {
    return this.#remove(sessionId);
  }

  describe({ toldTargets }: ClientSession, { params: { targetInfo } }: TargetEvent): boolean {
    if (!this.#parts.targets.isOwn(targetInfo)) return false;
    this.#parts.targets.note(targetInfo);
    toldTargets.add(targetInfo.targetId);
    return true;
  }

  concerns({ toldTargets }: ClientSession, { params: { targetId } }: TargetEvent): boolean {
    return toldTargets.has(targetId);
  }

  #add(id: string, level: ClientSession["level"], shownId: string | undefined): ClientSession {
    const stop = this.#parts.connection.relay(id, (method, text) => this.#hear(session, method, text));
    const session: ClientSession = { id, level, shownId, toldTargets: new Set(), stop };
    this.#sessions.set(id, session);
    return session;
  }

  #remove(sessionId: string): boolean {
    this.#sessions.get(sessionId)?.stop();
    return this.#sessions.delete(sessionId);
  }

  #hear(session: ClientSession, method: string, text: string): void {
    const judge = JUDGES.get(method);
    // Unlisted events of the browser may reveal anything.
    if (!judge && session.level === "browser") return;
    if (judge && !judge.call(this, session, JSON.parse(text) as TargetEvent)) return;
    this.#parts.send(session.shownId === undefined ? withSessionId(text, undefined) : text);
  }

  #forward(method: string, params: object, sessionId: string): void {
    this.#parts.connection.forward({ method, params, sessionId }, () => undefined);
  }
}

/** Events that are checked, by name. */
const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  // These events concern the client's own context, as it cannot ask for those of others.
  ["Browser.downloadProgress", () => true],
  ["Browser.downloadWillBegin", () => true],
  ["Target.attachedToTarget", ClientSessions.prototype.admit],
  ["Target.detachedFromTarget", ClientSessions.prototype.leave],
  ["Target.targetCreated", ClientSessions.prototype.describe],
  ["Target.targetInfoChanged", ClientSessions.prototype.describe],
  ["Target.targetCrashed", ClientSessions.prototype.concerns],
  ["Target.targetDestroyed", ClientSessions.prototype.concerns],
]);
