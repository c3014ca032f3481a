import type { Protocol } from "devtools-protocol";

import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { hasLeft, PageScriptError, resultOf } from "./page-script.ts";
import type { BrowserTab } from "./tab.ts";

/** Result of a script. */
interface ScriptResult {
  /** JavaScript's `typeof` of the value. */
  readonly type: string;
  /** JSON data; text when the value is not JSON; null for undefined. */
  readonly value: unknown;
}

/** A script that computes without pause is aborted after this time. */
const COMPUTING_LIMIT_MS = 30_000;
/** Limits of a value as JSON. */
const VALUE_BOUNDS = { maxBytes: 10_000_000, maxValues: 200_000 } as const;

/** Chromium's error for a `return` outside functions. Callers may write only the body of a function. */
const NEEDS_FUNCTION = /Illegal return statement/;

/** Converts an object to JSON where that works, else to text. */
const TELL = `function () {
  try {
    const json = JSON.stringify(this);
    if (json !== undefined) return json;
  } catch {}
  return JSON.stringify(String(this));
}`;

/**
 * Runs a script in the page's own world, as its console would. Awaits a promise.
 * @returns the value of its last expression, or of its `return`.
 * @throws PageScriptError when the script is wrong or throws.
 */
export async function runScript(tab: BrowserTab, script: string, signal: AbortSignal): Promise<ScriptResult> {
  try {
    return await evaluate(tab, script, signal).catch((failure: unknown) => {
      const isBody = failure instanceof PageScriptError && NEEDS_FUNCTION.test(failure.message);
      if (!isBody) throw failure;
      return evaluate(tab, `(async () => {\n${script}\n})()`, signal);
    });
  } catch (failure) {
    // The script opened another page, so the context that could report its result is gone.
    if (hasLeft(failure)) return { type: "undefined", value: null };
    throw failure;
  }
}

async function evaluate(tab: BrowserTab, expression: string, signal: AbortSignal): Promise<ScriptResult> {
  const outcome = await tab.session.send(
    "Runtime.evaluate",
    {
      expression,
      awaitPromise: true,
      // As in the console, `await` may stand anywhere.
      replMode: true,
      userGesture: true,
      timeout: COMPUTING_LIMIT_MS,
    },
    { signal },
  );
  const result = resultOf(outcome);
  if (result.subtype !== "promise" || result.objectId === undefined) return tell(tab, result, signal);
  const promise = { promiseObjectId: result.objectId };
  return tell(tab, resultOf(await tab.session.send("Runtime.awaitPromise", promise, { signal })), signal);
}

async function tell(
  tab: BrowserTab,
  result: Protocol.Runtime.RemoteObject,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const { type, value, unserializableValue, description, objectId } = result;
  if (type === "undefined") return { type, value: null };
  if (unserializableValue !== undefined) return { type, value: unserializableValue.replace(/n$/, "") };
  if (objectId === undefined || type === "symbol") return { type, value: value ?? description ?? null };
  const told = await tab.session.send(
    "Runtime.callFunctionOn",
    { objectId, functionDeclaration: TELL, returnByValue: true },
    { signal },
  );
  const json = String(resultOf(told).value);
  return { type, value: await valueIn(json, signal) };
}

/** Parses larger values in a thread. */
async function valueIn(json: string, signal: AbortSignal): Promise<unknown> {
  const thread = new ForeignThread();
  try {
    return await thread.parse(json, VALUE_BOUNDS, signal);
  } catch (cause) {
    if (!(cause instanceof ForeignJsonError)) throw cause;
    throw new PageScriptError(`The script's value is too large: it ${cause.message}.`, { cause });
  } finally {
    await thread.close();
  }
}
