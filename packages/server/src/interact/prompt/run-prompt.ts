import { ServiceError } from "../../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import { watchEffects } from "@pergamon-dev/browser/input/effects";
import { PageScriptError } from "@pergamon-dev/browser/tab/page-script";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { LanguageModels } from "../../storage/models/language-models.ts";
import { ModelFailure } from "../../storage/models/model-failure.ts";
import { ActFailure, Actor } from "./act.ts";
import { type Choice, stepQuestion } from "./choose-step.ts";
import type { DoneStep } from "./instructions.ts";
import { type PageLook, lookAt } from "./look.ts";
import { Refs } from "./refs.ts";
import { steers } from "./steering.ts";
import type { ToolTools } from "./tools.ts";

/** A prompt, in its turn. */
export interface PromptOrder {
  readonly tab: BrowserTab;
  readonly prompt: string;
  /** Models are shared fairly between teams. */
  readonly teamId: string;
  /** No model is shown pages that try to steer it. */
  readonly refusesInjection: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The result of matching. */
export interface PromptResult {
  /** The answer; empty when there is none. */
  readonly output: string;
  /** The last look at the page. */
  readonly result: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly killed: boolean;
  readonly truncated: boolean;
  /** Why it was not done. */
  readonly error?: string;
}

/**
 * Does on the page what the prompt says.
 * @throws ServiceError AGENT_FAILED when no model answered, so nothing was done; the signal's reason.
 */
export type RunPrompt = (order: PromptOrder) => Promise<PromptResult>;

/** Steps of one prompt. */
const MAX_STEPS = 25;
/** The same step on the same page so often in a row has no effect. */
const MAX_REPEATS = 3;
/** What is left of the time when it is ended: enough to answer. */
const MARGIN_MS = 250;

export function openPromptRunner(models: LanguageModels): RunPrompt {
  return async (order) => {
    const deadline = startDeadline(
      Math.max(1, order.timeoutMs - MARGIN_MS),
      () => new OutOfTime(),
      order.signal,
    );
    return new PromptRun(order, models, deadline.signal).run().finally(() => deadline.clear());
  };
}

const STEERED =
  "A prompt injection was detected in the page, so it was not sent to a language model. To use it anyway, scrape it without checkPromptInjection.";

class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

class Steered extends Error {
  override readonly name = "Steered";
}

/** How a prompt ended. */
interface Verdict {
  readonly output: string;
  readonly error?: string;
  readonly killed?: boolean;
}

class PromptRun {
  readonly #order: PromptOrder;
  readonly #models: LanguageModels;
  readonly #signal: AbortSignal;
  readonly #refs = new Refs();
  readonly #steps: DoneStep[] = [];
  /** Each step with the page that it was made on. */
  readonly #made: string[] = [];
  #look: PageLook | undefined;

  constructor(order: PromptOrder, models: LanguageModels, signal: AbortSignal) {
    this.#order = order;
    this.#models = models;
    this.#signal = signal;
  }

  async run(): Promise<PromptResult> {
    const {
      output,
      error,
      killed = false,
    } = await this.#work().catch((failure: unknown) => this.#failed(failure));
    const look = this.#look ? `${this.#look.url}\n${this.#look.title}\n\n${this.#look.text}` : "";
    const exitCode = error === undefined ? 0 : 1;
    const told = { output, result: look, stdout: this.#protocol(), stderr: "", truncated: false };
    return { ...told, exitCode, killed, ...(error !== undefined && { error }) };
  }

  async #work(): Promise<Verdict> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const choice = await this.#choose();
      if (!("run" in choice)) return verdictOf(choice);
      await this.#do(choice);
      if (this.#repeats() >= MAX_REPEATS) {
        return { output: "", error: `The same step had no effect ${MAX_REPEATS} times: ${choice.action}.` };
      }
    }
    return { output: "", error: `The task was not completed within ${MAX_STEPS} steps.` };
  }

  async #choose(): Promise<Choice> {
    const { tab, prompt: task, teamId, refusesInjection } = this.#order;
    const look = await lookAt(tab, this.#refs, this.#signal);
    this.#look = look;
    const isSteering = steers(look);
    if (isSteering && refusesInjection) throw new Steered();
    const hasRef = (ref: string) => this.#refs.find(ref) !== undefined;
    const question = stepQuestion({ task, steps: this.#steps, look, isSteering, hasRef });
    const { answer } = await this.#models.ask(question, this.#signal, teamId);
    return answer;
  }

  async #do(choice: Extract<Choice, { readonly action: string }>): Promise<void> {
    const { action } = choice;
    const outcome = await choice.run(this.#tools()).catch((failure: unknown) => {
      this.#signal.throwIfAborted();
      return wordsOf(failure);
    });
    this.#made.push(JSON.stringify([action, this.#look?.url, this.#look?.text]));
    this.#steps.push({ action: `${action}${this.#named(action)}`, outcome });
  }

  /** What a reference stood for, for models forget. */
  #named(action: string): string {
    const target = this.#refs.find(/\be\d+\b/.exec(action)?.[0] ?? "");
    return target ? ` (${target.role} ${JSON.stringify(target.name)})` : "";
  }

  /** How often the last step was made on a page that looked the same. */
  #repeats(): number {
    const last = this.#made.at(-1);
    return this.#made.length - 1 - this.#made.findLastIndex((one) => one !== last);
  }

  #tools(): ToolTools {
    const { tab } = this.#order;
    const signal = this.#signal;
    if (!this.#look) throw new Error("Nothing was looked at.");
    return {
      tab,
      signal,
      look: this.#look,
      actor: new Actor(tab, signal),
      target: (ref) => {
        const target = this.#refs.find(ref);
        if (!target) throw new ActFailure(`There is no ${ref} on the page.`);
        return target;
      },
      goTo: (url) => this.#goTo(url),
    };
  }

  async #goTo(text: string): Promise<void> {
    const base = this.#look?.url ?? "";
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new ActFailure("Only http and https addresses can be opened.");
    const { tab } = this.#order;
    const effects = watchEffects(tab);
    try {
      const { errorCode } = await tab.navigate(url.href, this.#signal);
      if (errorCode !== undefined) throw new ActFailure(`The address cannot be opened: ${errorCode}.`);
    } finally {
      await effects.settled(this.#signal);
    }
  }

  #protocol(): string {
    return this.#steps.map(({ action }, index) => `${index + 1}. ${action}\n`).join("");
  }

  #failed(failure: unknown): Verdict {
    if (this.#order.signal.aborted) throw this.#order.signal.reason;
    if (this.#signal.aborted) return { output: "", error: "The time was over.", killed: true };
    if (failure instanceof Steered) return { output: "", error: STEERED };
    if (!(failure instanceof ModelFailure)) throw failure;
    if (this.#steps.length === 0) throw new ServiceError("AGENT_FAILED", { cause: failure });
    return { output: "", error: `The language model gave no further answer: ${failure.message}` };
  }
}

function verdictOf({
  answer,
  success,
}: Extract<Choice, { readonly tool: "done"; readonly answer: string }>): Verdict {
  return { output: answer, ...(!success && { error: answer || "The task was not completed." }) };
}

/** The message to a model about a step that failed. @throws failures that do not concern the page. */
function wordsOf(failure: unknown): string {
  if (failure instanceof ActFailure) return failure.message;
  if (failure instanceof PageScriptError) return `The page failed: ${failure.message}`;
  if (failure instanceof CdpError) return "The page went away meanwhile. Look again.";
  if (failure instanceof BrowserFailure) throw failure;
  throw failure;
}
