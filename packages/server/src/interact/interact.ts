import { presentActor } from "../accounts/audit-actor.ts";
import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import type { InteractRequest } from "../api/interact.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { PromptResult, RunPrompt } from "./prompt/run-prompt.ts";
import type { CallOptions, Session } from "./session.ts";
import type { CodeCall, CodeResult } from "./languages/code-runner.ts";
import type { PlannedCode } from "./languages/refuse-code.ts";
import type { Sessions } from "./sessions.ts";

export interface InteractContext {
  readonly caller: Caller;
  /** Aborts when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface CallOutcome {
  readonly session: Session;
  readonly result: CodeResult & Partial<Pick<PromptResult, "output">>;
}

interface PromptOrder {
  readonly prompt: string;
  readonly timeoutMs: number;
}

export type Code = Pick<CodeCall, "language" | "code"> & { readonly timeoutMs: number };

export interface InteractServices {
  readonly sessions: Sessions;
  /** Returns undefined while no language model is configured. */
  readonly runPrompt: () => RunPrompt | undefined;
  /**
   * Starts what the code will need. @throws ServiceError CODE_NOT_AVAILABLE for code that cannot run here.
   */
  readonly prepareCode: (code: PlannedCode) => Promise<void>;
  readonly log: Log;
}

/** Runs code and prompts on live pages. */
export class Interact {
  readonly sessions: Sessions;
  readonly #runPrompt: InteractServices["runPrompt"];
  readonly #prepareCode: InteractServices["prepareCode"];
  readonly #log: Log;

  constructor({ sessions, runPrompt, prepareCode, log }: InteractServices) {
    this.sessions = sessions;
    this.#runPrompt = runPrompt;
    this.#prepareCode = prepareCode;
    this.#log = log;
  }

  /**
   * Runs code or a prompt on the page of a scrape. The first call opens the page again.
   * @throws as `Sessions.ofScrape`, `execute` and `prompt`.
   */
  async onScrape(scrapeId: string, request: InteractRequest, context: InteractContext): Promise<CallOutcome> {
    const isPrompted = request.code === undefined;
    await this.#requireMeans(request, context.signal).catch(async (refusal: unknown) => {
      // Errors of the scrape come before those of the code.
      await this.sessions.find(scrapeId, context.caller);
      throw refusal;
    });
    const session = await this.#sessionFor(scrapeId, request, { ...context, isPrompted });
    const timeoutMs = request.timeout * 1000;
    const result = isPrompted
      ? await this.prompt(session, { prompt: request.prompt ?? "", timeoutMs }, context.signal)
      : await this.execute(session, { ...request, code: request.code ?? "", timeoutMs }, context.signal);
    return { session, result };
  }

  /** @throws ServiceError CODE_NOT_RUN when the code did not run; as `Session.call`. */
  async execute(session: Session, { timeoutMs, ...code }: Code, signal: AbortSignal): Promise<CodeResult> {
    await this.#ready(code, signal);
    const step = { kind: code.language, by: presentActor(), text: code.code };
    return session.steps.take(step, () => this.#execute(session, { timeoutMs, ...code }, signal), problemOf);
  }

  async #execute(session: Session, { timeoutMs, ...code }: Code, signal: AbortSignal): Promise<CodeResult> {
    const options: CallOptions = { timeoutMs, isPrompted: false, signal };
    return session.call(options, async (turn) => {
      try {
        const runner = await session.runner();
        const result = await runner.run({ ...code, timeoutMs: turn.timeoutMs, signal: turn.signal });
        if (result.killed) await turn.browser.interrupt();
        return result;
      } catch (failure) {
        if (!session.isEnding) await turn.browser.interrupt();
        throw this.#told("CODE_NOT_RUN", failure, turn.signal);
      }
    });
  }

  /** @throws ServiceError AGENT_FAILED when no step was made; as `Session.call`. */
  async prompt(session: Session, order: PromptOrder, signal: AbortSignal): Promise<PromptResult> {
    const runPrompt = this.#runPrompt();
    if (!runPrompt) throw noModel();
    const step = { kind: "prompt", by: presentActor(), text: order.prompt } as const;
    return session.steps.take(step, () => this.#prompt(session, { ...order, runPrompt }, signal), problemOf);
  }

  async #prompt(
    session: Session,
    { prompt, timeoutMs, runPrompt }: PromptOrder & { readonly runPrompt: RunPrompt },
    signal: AbortSignal,
  ): Promise<PromptResult> {
    return session.call({ timeoutMs, isPrompted: true, signal }, async (turn) => {
      try {
        const { caller, refusesInjection } = session;
        return await runPrompt({
          ...turn,
          tab: turn.browser.tab,
          prompt,
          teamId: caller.teamId,
          refusesInjection,
        });
      } catch (failure) {
        throw this.#told("AGENT_FAILED", failure, turn.signal);
      }
    });
  }

  /** @throws ServiceError for requests that cannot be done here, before a session is opened. */
  async #requireMeans({ code, language }: InteractRequest, signal: AbortSignal): Promise<void> {
    if (code !== undefined) await this.#ready({ code, language }, signal);
    else if (!this.#runPrompt()) throw noModel();
  }

  /** The runtime of the code starts meanwhile. */
  async #ready(code: PlannedCode, signal: AbortSignal): Promise<void> {
    try {
      await this.#prepareCode(code);
    } catch (failure) {
      throw this.#told("CODE_NOT_RUN", failure, signal);
    }
  }

  async #sessionFor(
    scrapeId: string,
    { existingSessionId, ttl, activityTtl }: InteractRequest,
    { caller, isPrompted, signal }: InteractContext & { readonly isPrompted: boolean },
  ): Promise<Session> {
    if (existingSessionId !== undefined) return this.sessions.byId(existingSessionId, caller);
    const options = { caller, ttlMs: ttl * 1000, idleMs: activityTtl * 1000, isPrompted };
    return this.sessions.ofScrape(scrapeId, options, signal);
  }

  /** Passes errors for callers on, and reports all others to the operator. */
  #told(code: "CODE_NOT_RUN" | "AGENT_FAILED", failure: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (failure instanceof ServiceError) return failure;
    this.#log.error({ err: failure }, "A call in a session failed unexpectedly.");
    return new ServiceError(code, { cause: failure });
  }
}

/** Failure of a call that has an answer. */
function problemOf({ exitCode, killed, error, stderr }: CodeResult | PromptResult): string | undefined {
  if (exitCode === 0 && !killed) return undefined;
  return error || stderr || (killed ? "It was killed." : `It ended with ${exitCode}.`);
}

function noModel(): ServiceError {
  return new ServiceError("INTERACT_UNAVAILABLE", {
    message:
      "Prompts require a language model. The operator of this service can configure one with LLM_BASE_URL and LLM_MODEL. Code works without it.",
  });
}
