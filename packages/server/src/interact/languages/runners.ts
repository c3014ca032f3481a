import { type BoxGroups, findOwnGroup, openBoxGroups, whyNoGroups } from "../../sandbox/box-groups.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { InterpreterEngine } from "../scripting/interpreter-engine.ts";
import { type OpenedEquipment, openBoxEquipment } from "./box-equipment.ts";
import type { AttachableBrowser } from "../page-api/page-connection.ts";
import { BoxRunner, type SocketBrowser } from "./box-runner.ts";
import {
  type BoxlessLevel,
  type CodeLevel,
  decideLevel,
  type WantedLevel,
} from "../../sandbox/code-level.ts";
import type { CodeRunner } from "./code-runner.ts";
import { type PlannedCode, refuseCode } from "./refuse-code.ts";
import { SpareBox } from "./spare-box.ts";
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
