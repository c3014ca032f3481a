import { z } from "zod";

import { ServiceError } from "../../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import { PageScriptError } from "@pergamon-dev/browser/tab/page-script";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import type { LanguageModels } from "../../storage/models/language-models.ts";
import { ModelFailure } from "../../storage/models/model-failure.ts";
import {
  type Choice,
  chooseStep,
  type LoopStep,
  type LoopTool,
  makeStep,
} from "../../scrape/prompts/agent-loop.ts";
import { lookAt, type PageLook, Refs, steers } from "./look.ts";
import { PageActor, promptTools } from "./tools.ts";

export interface PromptOrder {
  readonly tab: BrowserTab;
  readonly prompt: string;
  /** Teams share models fairly. */
  readonly teamId: string;
  /** True: pages that try to steer the model are never shown to it. */
  readonly refusesInjection: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface PromptResult {
  /** Answer of the model, or empty. */
  readonly output: string;
  /** Text of the last look at the page. */
  readonly result: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly killed: boolean;
  readonly truncated: boolean;
  /** Why the task was not completed. */
  readonly error?: string;
}

/**
 * Carries out a prompt on the page.
 * @throws ServiceError AGENT_FAILED when no model answered, so nothing was done; the signal's reason.
 */
export type RunPrompt = (order: PromptOrder) => Promise<PromptResult>;

const MAX_STEPS = 25;
/** Time that is reserved for the answer. */
const MARGIN_MS = 250;
const MAX_OUTPUT_TOKENS = 2000;

const ROLE =
  "You are a browser agent. Complete the user's task on one web page, step by step. You see the page as an indented tree. Elements that you can act on have a reference in brackets, such as [e12].";
const DONE = `{"answer": text for the user, "success": whether you completed the task} – finish. Copy figures and names exactly as the page shows them`;
const OUT_OF_TIME = "The time was over.";
const STEERED =
  "A prompt injection was detected in the page, so it was not sent to a language model. To use it anyway, scrape it without checkPromptInjection.";

const Words = z.union([z.string(), z.number().transform(String)]).nullish();
const Done = z.object({ answer: Words, text: Words, success: z.boolean().nullish() });

export function openPromptRunner(models: LanguageModels): RunPrompt {
  return async (order) => {
    const timeoutMs = Math.max(1, order.timeoutMs - MARGIN_MS);
    const deadline = startDeadline(timeoutMs, () => new Error(OUT_OF_TIME), order.signal);
    return new PromptRun(order, models, deadline.signal).run().finally(() => deadline.clear());
  };
}

interface Verdict {
  readonly output: string;
  readonly error?: string;
  readonly killed?: boolean;
}

type PromptChoice = Choice<Verdict, LoopTool<PageActor, string>>;

class PromptRun {
  readonly #order: PromptOrder;
  readonly #models: LanguageModels;
  readonly #signal: AbortSignal;
  readonly #refs = new Refs();
  readonly #steps: LoopStep[] = [];
  #look: PageLook | undefined;

  constructor(order: PromptOrder, models: LanguageModels, signal: AbortSignal) {
    this.#order = order;
    this.#models = models;
    this.#signal = signal;
  }

  async run(): Promise<PromptResult> {
    const verdict = await this.#work().catch((failure: unknown) => this.#failed(failure));
    const { output, error, killed = false } = verdict;
    const look = this.#look ? `${this.#look.url}\n${this.#look.title}\n\n${this.#look.text}` : "";
    const exitCode = error === undefined ? 0 : 1;
    const told = { output, result: look, stdout: this.#protocol(), stderr: "", truncated: false };
    return { ...told, exitCode, killed, ...(error !== undefined && { error }) };
  }

  async #work(): Promise<Verdict> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const look = await lookAt(this.#order.tab, this.#refs, this.#signal);
      this.#look = look;
      const choice = await this.#choose(look);
      if (choice.kind === "done") return choice.answer;
      const error = await this.#make(choice, look);
      if (error !== undefined) return { output: "", error };
    }
    return { output: "", error: `The task was not completed within ${MAX_STEPS} steps.` };
  }

  async #choose(look: PageLook): Promise<PromptChoice> {
    const { prompt, teamId, refusesInjection } = this.#order;
    const { url, title, text } = look;
    const isSteering = steers(look);
    if (isSteering && refusesInjection)
      return { kind: "done", answer: { output: "", error: STEERED }, reason: "", note: "", draft: undefined };
    const order = {
      role: ROLE,
      tools: promptTools,
      done: DONE,
      checkDone,
      hasDraft: false,
      task: [`Task from the user: ${prompt}`],
      steps: this.#steps,
      seen: `The page now: ${url}\nTitle: ${title}\n\n${text}`,
      isSteering,
      ask: "Choose the next step.",
      isLast: false,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    return chooseStep(order, this.#models, teamId, this.#signal);
  }

  /** @returns the reason when the work ends here. */
  async #make(choice: Extract<PromptChoice, { kind: "tool" }>, look: PageLook): Promise<string | undefined> {
    const action = this.#describe(choice);
    const actor = new PageActor(this.#order.tab, look, this.#refs, this.#signal);
    const work = {
      steps: this.#steps,
      state: `${look.url}\n${look.text}`,
      run: async () => ({ text: await choice.tool.run(choice.input, actor), summary: action }),
      explain,
    };
    const { text, key, error } = await makeStep(choice, work, this.#signal);
    this.#steps.push({ action, outcome: text, note: choice.note, key });
    return error;
  }

  /** Names the element, because models forget what a reference stands for. */
  #describe({ name, input }: Extract<PromptChoice, { kind: "tool" }>): string {
    const { ref, text } = input as { readonly ref?: string; readonly text?: string };
    const target = ref === undefined ? undefined : this.#refs.find(ref);
    const named = target && `(${target.role} ${JSON.stringify(target.name)})`;
    return [name, ref, text && JSON.stringify(text), named].filter(Boolean).join(" ");
  }

  #protocol(): string {
    return this.#steps.map(({ action }, index) => `${index + 1}. ${action}\n`).join("");
  }

  #failed(failure: unknown): Verdict {
    if (this.#order.signal.aborted) throw this.#order.signal.reason;
    if (this.#signal.aborted) return { output: "", error: OUT_OF_TIME, killed: true };
    if (!(failure instanceof ModelFailure)) throw failure;
    if (this.#steps.length === 0) throw new ServiceError("AGENT_FAILED", { cause: failure });
    return { output: "", error: `The language model gave no further answer: ${failure.message}` };
  }
}

function checkDone(input: unknown): Checked<Verdict> {
  const parsed = Done.safeParse(input);
  if (!parsed.success) return { problem: "done needs an answer, which is a text." };
  const { answer, text, success } = parsed.data;
  const output = answer ?? text ?? "";
  return { answer: { output, ...(success === false && { error: output || "The task was not completed." }) } };
}

function explain(failure: unknown): string {
  if (failure instanceof PageScriptError) return `The page failed: ${failure.message}`;
  if (failure instanceof CdpError) return "The page went away meanwhile. Look again.";
  throw failure;
}
