import type { Caller } from "../accounts/callers.ts";
import { possibleElsewhere } from "../api/elsewhere.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import { type Planner, type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import { LiveSessions, type SessionChange, type TokenTarget } from "./live-sessions.ts";
import { type OpenServices, openSession, type SessionOrder } from "./open-session.ts";
import { Session, type SessionEnd } from "./session.ts";
import type { SessionRow, SessionRows, SessionState } from "./session-rows.ts";
import { settleSession } from "./settle-session.ts";
import { limits } from "../api/limits.ts";
import type { Records } from "../history/records.ts";
import type { Replays } from "../history/replays.ts";

export type SessionOptions = Pick<SessionOrder, "caller" | "ttlMs" | "idleMs" | "isPrompted" | "payment">;

export interface OwnSessionOptions extends SessionOptions {
  readonly streams: boolean;
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined;
}

export interface SessionServices extends OpenServices, RecipeServices {
  readonly coordinator: Pick<Coordinator, "tell" | "hear">;
  /** Called when a session of this process has begun or ended. */
  readonly onChange: (change: SessionChange) => void;
}

/** State of a session in this or another process. */
export interface SessionStatus {
  readonly row: SessionRow;
  /** Undefined when the session has ended, or runs in another process. */
  readonly live: Session | undefined;
}

/** The sessions of this process. Sessions of other processes are known only by their rows. */
export class Sessions {
  readonly #services: SessionServices;
  readonly #live: LiveSessions;
  readonly #openings = new SingleFlight<Session>();
  readonly #closing = new AbortController();
  readonly #stopHearing: () => void;
  #opening = 0;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#live = new LiveSessions(services.onChange);
    this.#stopHearing = services.coordinator.hear(END_TOPIC, (id) => this.#live.get(id)?.endLater("stopped"));
  }

  /**
   * The session of a scrape. The first call opens it.
   * @throws NotFoundError; ServiceError SESSION_DESTROYED when its session has ended; errors of opening it.
   */
  async ofScrape(scrapeId: string, options: SessionOptions, signal: AbortSignal): Promise<Session> {
    const job = await this.find(scrapeId, options.caller);
    if (job instanceof Session) return job;
    return this.#openings.join(scrapeId, signal, async (until) => {
      const order = { ...options, job, scrapeId, streams: true };
      const session = await this.#open(order, until);
      if (session) return session;
      throw new ServiceError("SESSION_NOT_CREATED", { message: ELSEWHERE });
    });
  }

  /**
   * The live session of a scrape. Without one, the scrape as a job.
   * @throws NotFoundError; ServiceError SESSION_DESTROYED, REPLAY_UNAVAILABLE or REPLAY_FAILED.
   */
  async find(scrapeId: string, caller: Caller): Promise<Session | ScrapeJob> {
    const live = this.#live.ofScrape(scrapeId);
    if (live && live.caller.teamId === caller.teamId) return live;
    const job = await jobOfScrape(scrapeId, caller, this.#services).catch((failure: unknown) =>
      this.#tellEnd(scrapeId, caller, failure),
    );
    const row = await this.#services.rows.ofScrape(scrapeId);
    if (row && row.state !== "opening") throw await this.#whyNot(row, caller);
    return job;
  }

  /** Whether a scrape has a live session. @throws as `find`. */
  async isOpen(scrapeId: string, caller: Caller): Promise<boolean> {
    return (await this.find(scrapeId, caller)) instanceof Session;
  }

  /** Opens a session that belongs to no scrape. @throws errors of opening it. */
  async openOwn({ profile, ...options }: OwnSessionOptions, signal: AbortSignal): Promise<Session> {
    const job = jobOfOwnSession(profile, options.caller, this.#services.plan);
    const session = await this.#open({ ...options, job, scrapeId: undefined }, signal);
    if (!session) throw new ServiceError("SESSION_NOT_CREATED");
    return session;
  }

  /** A live session of the team by its id. @throws NotFoundError; ServiceError SESSION_DESTROYED. */
  async byId(id: string, caller: Caller): Promise<Session> {
    const { row, live } = await this.status(id, caller);
    if (live) return live;
    throw await this.#whyNot(row, caller);
  }

  /** @throws NotFoundError when the team has no such session; ServiceError where the process that has it can be asked. */
  async status(id: string, caller: Caller): Promise<SessionStatus> {
    const row = isUuid(id) ? await this.#services.rows.get(id) : undefined;
    if (!row || row.teamId !== caller.teamId || row.state === "opening") throw sessionNotFound();
    const live = this.live(row.id);
    if (!live && row.state === "active" && this.#services.nodeTag !== undefined)
      throw await this.#whyNot(row, caller);
    return { row, live };
  }

  /** Sessions of the team, newest first. */
  async list(caller: Caller, state: SessionState | undefined): Promise<readonly SessionStatus[]> {
    const rows = await this.#services.rows.list(caller.teamId, state);
    return rows.map((row) => ({ row, live: this.live(row.id) }));
  }

  get count(): number {
    return this.#live.count;
  }

  /** A session of this process, of any team. Undefined if no open one has this id. */
  live(id: string): Session | undefined {
    return this.#live.active(id);
  }

  byToken(token: string): TokenTarget | undefined {
    return this.#live.byToken(token);
  }

  /** Ends the session of a scrape. @throws NotFoundError when it has no live session. */
  async endOfScrape(scrapeId: string, caller: Caller): Promise<SessionEnd> {
    const row = await this.#services.rows.ofScrape(scrapeId);
    if (row?.teamId !== caller.teamId) throw sessionNotFound();
    return this.#end(row);
  }

  /** Ends a session by its id. @throws NotFoundError when the team has no such live session. */
  async endById(id: string, caller: Caller): Promise<SessionEnd> {
    const { row } = await this.status(id, caller);
    return this.#end(row);
  }

  /** Charges ended sessions whose charge could not be written before. */
  async settleRest(): Promise<void> {
    if (this.#opening > 0) return;
    const process = await this.#services.owner.name();
    for (const row of await this.#services.rows.ofProcess(process)) {
      if (!this.#live.get(row.id) && this.#opening === 0) await settleSession(row, "stopped", this.#services);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new ServiceError("OVERLOADED"));
    this.#stopHearing();
    await this.#live.end();
  }

  async #open(order: SessionOrder, isGone: AbortSignal): Promise<Session | undefined> {
    this.#closing.signal.throwIfAborted();
    const signal = AbortSignal.any([isGone, this.#closing.signal]);
    this.#opening += 1;
    try {
      const session = await openSession(order, this.#services, signal);
      if (session) this.#add(session);
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  #add(session: Session): void {
    this.#live.add(session);
    if (this.#closing.signal.aborted) session.endLater("shutdown");
  }

  async #end(row: SessionRow): Promise<SessionEnd> {
    if (row.state !== "active") throw sessionNotFound();
    const live = this.#live.get(row.id);
    if (live?.isEnding) throw sessionNotFound();
    return live ? live.end("stopped") : endElsewhere(row, this.#services);
  }

  /** The session may outlive the record of its scrape. */
  async #tellEnd(scrapeId: string, caller: Caller, failure: unknown): Promise<never> {
    const row = await this.#services.rows.ofScrape(scrapeId);
    if (row?.teamId !== caller.teamId || row.state !== "destroyed") throw failure;
    throw await this.#whyNot(row, caller);
  }

  async #whyNot(row: SessionRow, { payer }: Caller): Promise<Error> {
    if (row.state === "error") return new ServiceError("REPLAY_FAILED");
    if (row.state === "active" && !this.#live.get(row.id))
      return possibleElsewhere(new ServiceError("CODE_NOT_RUN", { message: ELSEWHERE }), row.process);
    if (row.reason === "credits") await this.#services.credits.requireAny(payer);
    return new ServiceError("SESSION_DESTROYED");
  }
}

const ELSEWHERE =
  "This browser session runs in another process of the service. Send the request again, or route all requests of a session to the same process.";

/** The topic that tells the process of a session to end it. */
const END_TOPIC = "interact end";
/** How long another process may take to end a session, and how often its row is read meanwhile. */
const MAX_END_MS = 20_000;
const POLL_MS = 100;

/**
 * Ends a session that runs in another process.
 * @throws NotFoundError when its row is gone; ServiceError SESSION_NOT_ENDED when that process does not end it in time.
 */
async function endElsewhere(
  { id, createdAtMs }: SessionRow,
  {
    coordinator,
    rows,
  }: { readonly coordinator: Pick<Coordinator, "tell">; readonly rows: Pick<SessionRows, "get"> },
): Promise<SessionEnd> {
  await coordinator.tell(END_TOPIC, id);
  const untilMs = performance.now() + MAX_END_MS;
  while (performance.now() < untilMs) {
    const row = await rows.get(id);
    if (!row) throw sessionNotFound();
    if (row.endedAtMs !== null) return { durationMs: row.endedAtMs - createdAtMs, credits: row.credits ?? 0 };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new ServiceError("SESSION_NOT_ENDED");
}

function sessionNotFound(): NotFoundError {
  return new NotFoundError("Browser session not found.");
}

interface RecipeServices {
  readonly plan: Planner;
  readonly records: Records;
  readonly replays: Replays;
}

/**
 * Turns a scrape into a job that opens its page again.
 * @throws NotFoundError when the team has no such scrape of the last day.
 * @throws ServiceError REPLAY_UNAVAILABLE when its page cannot, or must not, be opened again.
 * @throws ForbiddenError when the caller may not ask for what the scrape asked for.
 */
async function jobOfScrape(
  scrapeId: string,
  caller: Caller,
  { plan, records, replays }: RecipeServices,
): Promise<ScrapeJob> {
  const [record, replay] = await Promise.all([records.get(scrapeId), replays.find(scrapeId)]);
  const isPage = record !== undefined && /^https?:/i.test(record.record.url);
  const known = isPage && !record.isExpired ? record.record : undefined;
  const teamId = known?.teamId ?? replay?.teamId;
  if (teamId !== caller.teamId) throw new NotFoundError("Job not found.");
  if (replay?.recipe === null || (!replay && known?.status !== "completed"))
    throw new ServiceError("REPLAY_UNAVAILABLE");
  const body: unknown = replay ? JSON.parse(replay.recipe) : { url: known?.url };
  return jobOf(body, caller, plan);
}

/** A job that opens no page. It prepares a browser that the team itself navigates. */
function jobOfOwnSession(
  profile: { readonly name: string; readonly saveChanges: boolean } | undefined,
  caller: Caller,
  plan: Planner,
): ScrapeJob {
  // The URL is not used, because nothing is opened.
  return jobOf({ url: "http://session.example/", ...(profile && { profile }) }, caller, plan);
}

function jobOf(body: unknown, caller: Caller, plan: Planner): ScrapeJob {
  const planned = plan({ ...(body as object), timeout: limits.timeoutMs.maximum, origin: "interact" });
  return startJob(planned, { caller, linkBase: "" });
}
