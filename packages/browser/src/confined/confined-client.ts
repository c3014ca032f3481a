import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import type { CdpConnection } from "../cdp/cdp-connection.ts";
import { withSessionId } from "../cdp/message-tail.ts";
import { browserMethods } from "./browser-methods.ts";
import { checkedPageMethods } from "./checked-page-methods.ts";
import { type ClientSession, ClientSessions } from "./client-sessions.ts";
import { type Command, type Parameters, readCommand } from "./command.ts";
import { CommandQueue } from "./command-queue.ts";
import { closeCodes, MAX_MESSAGE_BYTES, type MessageSocket } from "./message-socket.ts";
import { openPageMethods } from "./open-page-methods.ts";
import type { OwnTargets } from "./own-targets.ts";
import type { CommandVerdict, ClientScope } from "./client-scope.ts";
import { NOT_AVAILABLE, CommandRefusal, commandRefusalOf } from "./refusal.ts";

/** Maximum sessions that a client may open. */
const MAX_SESSIONS = 400;
/** Maximum pending commands, including those that wait for something that never comes. */
const MAX_UNANSWERED = 10_000;
/** Chromium's codes for an unknown session, and for all other errors. */
const NO_SESSION = -32_001;
const SERVER_ERROR = -32_000;

interface ConfinedClientParts {
  readonly socket: MessageSocket;
  readonly connection: CdpConnection;
  readonly targets: OwnTargets;
  readonly onCommand: () => void;
  readonly onEnd: () => void;
}

const openMethods: ReadonlySet<string> = new Set(openPageMethods);
const pageChecks = new Map(Object.entries(checkedPageMethods));
const browserRules = new Map(Object.entries(browserMethods));

export class ConfinedClient implements ClientScope {
  readonly #parts: ConfinedClientParts;
  readonly #sessions: ClientSessions;
  readonly #queue: CommandQueue;
  readonly #unanswered = new Set<number>();
  readonly #thread = new ForeignThread();
  #hasEnded = false;

  constructor(parts: ConfinedClientParts) {
    const { socket, connection, targets } = parts;
    this.#parts = parts;
    this.#sessions = new ClientSessions({ connection, targets, send: (text) => socket.send(text) });
    this.#queue = new CommandQueue({
      run: (text) => this.#run(text),
      onOverflow: () => this.close(closeCodes.refused, "Too many messages are waiting."),
    });
    socket.onMessage((text) => {
      if (text.length > MAX_MESSAGE_BYTES) this.close(closeCodes.refused, "The message is too large.");
      else this.#queue.push(text);
    });
    socket.onClose(() => this.#end());
  }

  /** Admits the client. Messages that arrive before this wait. */
  async open(): Promise<void> {
    try {
      await this.#sessions.openBrowserSession();
    } catch {
      return this.close(closeCodes.goingAway, "The browser has ended.");
    }
    if (this.#hasEnded) this.#sessions.end();
    else this.#queue.start();
  }

  close(code: number, reason: string): void {
    this.#parts.socket.close(code, reason);
    this.#end();
  }

  get contextId(): string {
    return this.#parts.targets.contextId;
  }

  ownTarget(value: unknown): string {
    if (typeof value === "string" && this.#parts.targets.has(value)) return value;
    throw new CommandRefusal("No target with given id found");
  }

  ownSession(value: unknown): string {
    if (typeof value === "string" && this.#sessions.find(value)) return value;
    throw new CommandRefusal("No session with given id");
  }

  isOwn(targetInfo: { readonly browserContextId?: string }): boolean {
    return this.#parts.targets.isOwn(targetInfo);
  }

  checkRoom(): void {
    if (this.#sessions.size >= MAX_SESSIONS || this.#parts.targets.isFull)
      throw new CommandRefusal(
        "There are as many pages and sessions as there may be: close some.",
        SERVER_ERROR,
      );
  }

  async openBrowserSession(): Promise<{ readonly sessionId: string }> {
    this.checkRoom();
    const { id } = await this.#sessions.openBrowserSession();
    if (this.#hasEnded) this.#sessions.end();
    return { sessionId: id };
  }

  closeBrowserSession(sessionId: string): boolean {
    return this.#sessions.closeBrowserSession(sessionId);
  }

  leave(): void {
    setImmediate(() => this.#parts.socket.close());
  }

  /** Resolves when the next message may run: a large one is parsed in a thread first. */
  #run(text: string): void | Promise<void> {
    recordWork("cdp");
    this.#parts.onCommand();
    try {
      const command = readCommand(text, this.#thread);
      if (!(command instanceof Promise)) return this.#carryOut(command);
      return command
        .then((read) => this.#carryOut(read))
        .catch((failure: unknown) => this.#refuse({}, failure));
    } catch (failure) {
      this.#refuse({}, failure);
    }
  }

  #carryOut(command: Command): void {
    if (this.#hasEnded) return;
    try {
      this.#begin(command);
    } catch (failure) {
      this.#refuse(command, failure);
    }
  }

  #begin(command: Command): void {
    const session = this.#sessions.find(command.sessionId);
    if (!session) throw new CommandRefusal("Session with given id not found.", NO_SESSION);
    const order = session.level === "page" ? this.#pageOrder(command) : this.#browserOrder(command);
    if ("answer" in order) void this.#answer(command, order.answer);
    else this.#forward(command, session, order);
  }

  #pageOrder({ method, params }: Command): CommandVerdict {
    if (openMethods.has(method)) return { send: params };
    const check = pageChecks.get(method);
    if (!check) throw notAvailable(method);
    return { send: check(params, this) };
  }

  #browserOrder({ method, params }: Command): CommandVerdict {
    const rule = browserRules.get(method);
    if (!rule) throw notAvailable(method);
    return rule(params, this);
  }

  #forward(
    { id, method }: Command,
    session: ClientSession,
    { send, change }: Extract<CommandVerdict, { readonly send: Parameters }>,
  ): void {
    if (this.#unanswered.size >= MAX_UNANSWERED)
      throw new CommandRefusal("Too many commands are unanswered.", SERVER_ERROR);
    const forwarded = this.#parts.connection.forward(
      { method, params: send, sessionId: session.id },
      (text) => {
        this.#unanswered.delete(forwarded);
        const answer = withId(withSessionId(text, session.shownId), id);
        this.#parts.socket.send(change ? changed(answer, change) : answer);
      },
    );
    this.#unanswered.add(forwarded);
  }

  async #answer(command: Command, answer: () => Promise<object> | object): Promise<void> {
    const { id, sessionId } = command;
    try {
      const result = await answer();
      this.#parts.socket.send(JSON.stringify({ id, result, sessionId }));
    } catch (failure) {
      const lost = new CommandRefusal("The browser does not answer.", SERVER_ERROR);
      this.#refuse(command, failure instanceof CommandRefusal ? failure : lost);
    }
  }

  #refuse(command: Partial<Command>, failure: unknown): void {
    const { id, code, message } = commandRefusalOf(failure);
    const answer = { id: command.id ?? id, error: { code, message }, sessionId: command.sessionId };
    this.#parts.socket.send(JSON.stringify(answer));
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#queue.close();
    void this.#thread.close();
    for (const id of this.#unanswered) this.#parts.connection.forget(id);
    this.#sessions.end();
    this.#parts.onEnd();
  }
}

function notAvailable(method: string): CommandRefusal {
  return new CommandRefusal(`'${method}' is not available here.`, NOT_AVAILABLE);
}

/** Replaces the id of the browser's answer by the id that the client gave the command. */
function withId(text: string, id: number): string {
  return `{"id":${id}${text.slice(text.indexOf(","))}`;
}

function changed(text: string, change: (result: Parameters) => Parameters): string {
  const message = JSON.parse(text) as { readonly result?: Parameters };
  return message.result === undefined ? text : JSON.stringify({ ...message, result: change(message.result) });
}
