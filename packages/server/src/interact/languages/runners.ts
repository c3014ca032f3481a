import { type BoxGroups, findOwnGroup, openBoxGroups, whyNoGroups } from "../../sandbox/box-groups.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { InterpreterEngine } from "../scripting/interpreter-engine.ts";
import { openBoxEquipment, type OpenedEquipment } from "./box-equipment.ts";
import type { AttachableBrowser } from "../page-api/page-connection.ts";
import {
  type BoxlessLevel,
  type CodeLevel,
  decideLevel,
  type WantedLevel,
} from "../../sandbox/code-level.ts";
import type { CodeCall, CodeResult, CodeRunner } from "./code-runner.ts";
import { type PlannedCode, refuseCode } from "./refuse-code.ts";
import { WasmRunner } from "./wasm-runner.ts";
import { WarmBox } from "./warm-box.ts";

/** Runs code of sessions at the level that this machine allows. */
export interface CodeRunners {
  readonly level: CodeLevel;
  /**
   * Call this before opening anything for the code. @throws ServiceError CODE_NOT_AVAILABLE, with the reason.
   */
  refuse(code: PlannedCode): void;
  /** Opens the runner of one session. It starts nothing before its first call. */
  open(session: { readonly confined: SocketBrowser & AttachableBrowser }): CodeRunner;
  close(): Promise<void>;
}

export interface RunnersOptions {
  readonly wanted: WantedLevel;
  /** Called when a spare box cannot start. */
  readonly onError: (failure: unknown) => void;
}

/**
 * Detects the level of this machine. Call it when code is first wanted. Where boxes work, one is kept ready.
 */
export async function openRunners({ wanted, onError }: RunnersOptions): Promise<CodeRunners> {
  const level = await decideLevel(wanted, openSandbox);
  if (level.name !== "box") return withoutBoxes(level);
  try {
    const groups = openGroups(onError);
    const sandbox = { ...level.sandbox, ...(groups && { groups }) };
    return boxRunners(level, await openBoxEquipment(sandbox), onError);
  } catch (failure) {
    return withoutBoxes(lesserLevel(wanted, (failure as Error).message));
  }
}

/** The interpreter itself refuses code that the level cannot run, which is all code at level off. */
function withoutBoxes(level: BoxlessLevel): CodeRunners {
  const engine = new InterpreterEngine();
  return {
    level,
    refuse: (code) => refuseCode(level, code),
    open: ({ confined }) => new WasmRunner(confined, level, engine),
    close: async () => undefined,
  };
}

function openGroups(onError: (failure: unknown) => void): BoxGroups | undefined {
  const place = findOwnGroup();
  if (typeof place === "string" || whyNoGroups(place) !== undefined) return undefined;
  try {
    return openBoxGroups(place);
  } catch (failure) {
    onError(failure);
    return undefined;
  }
}

function lesserLevel(wanted: WantedLevel, reason: string): BoxlessLevel {
  const remedy = "Run npm ci --ignore-scripts, without leaving out optional packages.";
  return { name: wanted === "auto" ? "wasm" : "off", reason, remedy };
}

function boxRunners(
  level: CodeLevel,
  equipment: OpenedEquipment,
  onError: (failure: unknown) => void,
): CodeRunners {
  const spare = new SpareBox(() => WarmBox.start(equipment), onError);
  spare.prepare();
  return {
    level,
    refuse: () => undefined,
    open: ({ confined }) => new BoxRunner(confined, () => spare.take(), onError),
    async close() {
      await spare.close();
      await equipment.folder.remove();
    },
  };
}

/**
 * Whoever took a box now opens a page for it. The next box starts later, so that the two do not compete for
 * the processor.
 */
const NEXT_AFTER_MS = 1500;

/**
 * Keeps one box ready. Loading Node and Playwright takes 0.7 s of CPU, which no request then waits for. The
 * next box starts a while after one was taken.
 */
export class SpareBox {
  readonly #start: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #next: Promise<WarmBox> | undefined;
  #preparing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(start: () => Promise<WarmBox>, onError: (failure: unknown) => void) {
    this.#start = start;
    this.#onError = onError;
  }

  /** Starts a spare box in the background, unless there is one. */
  prepare(): void {
    if (this.#isClosed) return;
    this.#next ??= this.#start();
    this.#next.catch((failure: unknown) => {
      this.#next = undefined;
      this.#onError(failure);
    });
  }

  /** Takes a box for one session, which must close it. @throws errors of starting it. */
  async take(): Promise<WarmBox> {
    const next = this.#next ?? this.#start();
    this.#next = undefined;
    clearTimeout(this.#preparing);
    this.#preparing = setTimeout(() => this.prepare(), NEXT_AFTER_MS).unref();
    const box = await next;
    if (box.isAlive) return box;
    await box.close();
    return this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#preparing);
    const next = await this.#next?.catch(() => undefined);
    await next?.close();
  }
}

/** A session's browser behind a socket that boxes can reach. */
interface SocketBrowser {
  listen(socketPath: string): Promise<{ close(): Promise<void> }>;
}

/**
 * After this time without code a box, which takes 80 MB, is closed. The page stays, but the variables of the
 * code are lost.
 */
const PARKED_AFTER_MS = 120_000;

/** Runs the code of a session in a box of its own. A new box replaces one that has ended. */
export class BoxRunner implements CodeRunner {
  readonly #browser: SocketBrowser;
  readonly #takeBox: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #parking: NodeJS.Timeout | undefined;
  #current: { readonly box: WarmBox; readonly socket: { close(): Promise<void> } } | undefined;

  /** @param onError called when a box could not be closed */
  constructor(browser: SocketBrowser, takeBox: () => Promise<WarmBox>, onError: (failure: unknown) => void) {
    this.#browser = browser;
    this.#takeBox = takeBox;
    this.#onError = onError;
  }

  async run({ signal, ...order }: CodeCall): Promise<CodeResult> {
    clearTimeout(this.#parking);
    const box = await this.#box();
    try {
      return await box.run(order, signal);
    } finally {
      if (!box.isAlive) await this.close();
      else this.#parking = setTimeout(() => void this.close().catch(this.#onError), PARKED_AFTER_MS).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#parking);
    const current = this.#current;
    this.#current = undefined;
    await current?.box.close();
    await current?.socket.close();
  }

  async #box(): Promise<WarmBox> {
    if (this.#current && !(await this.#current.box.rouse())) await this.close();
    if (this.#current) return this.#current.box;
    const box = await this.#takeBox();
    const socket = await this.#browser.listen(box.socketPath);
    this.#current = { box, socket };
    return box;
  }
}
