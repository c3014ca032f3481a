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

/** Runs code of sessions on the level that this machine allows. */
export interface CodeRunners {
  readonly level: CodeLevel;
  /** To be asked before anything is opened for it. @throws ServiceError CODE_NOT_AVAILABLE, with the reason. */
  refuse(code: PlannedCode): void;
  /** For one session. Nothing starts before its first call. */
  open(session: { readonly confined: SocketBrowser & AttachableBrowser }): CodeRunner;
  close(): Promise<void>;
}

export interface RunnersOptions {
  readonly wanted: WantedLevel;
  /** Called when a spare box could not be started. */
  readonly onError: (failure: unknown) => void;
}

/** Finds out what can be done here; to be called when code is first wanted. Where boxes hold, one is kept ready. */
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

/** The interpreter refuses by itself what a level cannot do, which at level off is everything. */
function withoutBoxes(level: BoxlessLevel): CodeRunners {
  const engine = new InterpreterEngine();
  return {
    level,
    refuse: (code) => refuseCode(level, code),
    open: ({ confined }) => new WasmRunner(confined, level, engine),
    close: async () => undefined,
  };
}

/** Undefined where there are none, which the doctor tells. */
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

/** Who has taken a box opens a page for it now, and should not have to share the processor with the next box. */
const NEXT_AFTER_MS = 1500;

/**
 * Keeps one box ready: loading Node and Playwright takes 0.7 s of CPU, which no request then waits for. The next one is
 * started a while after one was taken.
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

  /** Starts one in the background, unless there is one. */
  prepare(): void {
    if (this.#isClosed) return;
    this.#next ??= this.#start();
    this.#next.catch((failure: unknown) => {
      this.#next = undefined;
      this.#onError(failure);
    });
  }

  /** A box for one session, which has to close it. @throws what starting one throws. */
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

/** The browser of a session, as boxes reach it. */
interface SocketBrowser {
  listen(socketPath: string): Promise<{ close(): Promise<void> }>;
}

/** After so long without code a box is given up: it takes 80 MB. The page stays; variables of the code go. */
const PARKED_AFTER_MS = 120_000;

/** Runs the code of a session in a box of its own, which is replaced when it ends. */
export class BoxRunner implements CodeRunner {
  readonly #browser: SocketBrowser;
  readonly #takeBox: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #parking: NodeJS.Timeout | undefined;
  #current: { readonly box: WarmBox; readonly socket: { close(): Promise<void> } } | undefined;

  /** @param onError called when a box could not be given up */
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
