import { parentPort, workerData } from "node:worker_threads";

import quickJs from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

import type { FromInterpreter, InterpreterStart, ToInterpreter } from "./interpreter-messages.ts";

/** Thread of one interpreter. The service can end it from outside at any time. */

const MAX_STACK_BYTES = 256 * 1024;

const { prelude, engine, maxBytes } = workerData as InterpreterStart;
const port = parentPort;
if (!port) throw new Error("This runs in a thread.");
const { newContext, runtime } = await openRuntime();
const context = newContext();
const pending = new Map<number, (text: string) => void>();
const timers = new Set<NodeJS.Timeout>();
const settle = start(context);

port.on("message", (message: ToInterpreter) => {
  if (message.kind === "run") return run(message.source);
  if (message.kind === "rest") return rest();
  const answer = pending.get(message.id);
  pending.delete(message.id);
  answer?.(message.text);
});

async function openRuntime() {
  // NOTE: the package's types describe its CommonJS form, whose default export is one level deeper.
  const variant = newVariant(quickJs as unknown as QuickJSSyncVariant, { wasmModule: engine });
  const opened = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime();
  opened.setMemoryLimit(maxBytes);
  opened.setMaxStackSize(MAX_STACK_BYTES);
  return { runtime: opened, newContext: () => opened.newContext() };
}

function say(message: FromInterpreter): void {
  port?.postMessage(message);
}

/** Calls the prelude with all functions that reach outside the interpreter. */
function start(vm: QuickJSContext): QuickJSHandle {
  let lastId = 0;
  const ask = vm.newFunction("ask", (text) => {
    lastId += 1;
    const id = lastId;
    say({ kind: "ask", id, text: vm.getString(text) });
    return promised(vm, (resolve) => pending.set(id, resolve));
  });
  const print = vm.newFunction("print", (isError, text) => {
    say({ kind: "print", isError: vm.dump(isError) === true, text: vm.getString(text) });
  });
  const later = vm.newFunction("later", (delayMs) => {
    const waitMs = vm.getNumber(delayMs);
    return promised(vm, (resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve("");
      }, waitMs);
      timers.add(timer);
    });
  });
  const end = vm.newFunction("end", (isFailed, text, trace) => {
    const said = vm.getString(text);
    if (vm.dump(isFailed) !== true) say({ kind: "done", result: said });
    else say({ kind: "failed", error: said, trace: vm.getString(trace) });
  });
  const install = vm.unwrapResult(vm.evalCode(`(${prelude})`, "prelude"));
  return vm.unwrapResult(vm.callFunction(install, vm.undefined, ask, print, later, end));
}

function promised(vm: QuickJSContext, begin: (resolve: (text: string) => void) => void): QuickJSHandle {
  const deferred = vm.newPromise();
  begin((text) => {
    deferred.resolve(vm.newString(text));
    work();
  });
  return deferred.handle;
}

function run(source: string): void {
  const started = context.evalCode(source, "code");
  if (started.error) {
    return fail(started.error);
  }
  // The array holds text for the prelude, and the function that starts the code.
  const [session, begin] = [context.getProp(started.value, 0), context.getProp(started.value, 1)];
  const called = context.callFunction(settle, context.undefined, session, begin);
  if (called.error) return fail(called.error);
  work();
}

function rest(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  say({ kind: "rested" });
}

/** Runs all pending promise jobs. */
function work(): void {
  const outcome = runtime.executePendingJobs();
  if (outcome.error) fail(outcome.error);
}

function fail(failure: QuickJSHandle): void {
  const { message = "", stack = "" } = context.dump(failure) as { message?: string; stack?: string };
  say({ kind: "failed", error: message, trace: `${message}\n${stack}` });
}
