import type { Protocol } from "devtools-protocol";

import { CdpError } from "../cdp/cdp-session.ts";
import type { BrowserTab } from "./tab.ts";

/** One of our scripts, or of the page's, failed in the page. The message comes from the page. */
export class PageScriptError extends Error {
  override readonly name = "PageScriptError";
}

/** Isolated world: it shares the document with the page's own world, but none of its JavaScript state. */
const WORLD = "pergamon";

/**
 * Calls a function in the page, isolated from the page's own scripts, and awaits its promise.
 * @param source JavaScript of a function. It is text because a build may change functions in ways that fail
 * in a page.
 * @param args plain JSON data.
 * @returns the function's result, as JSON data.
 * @throws PageScriptError when the function throws; CdpError when the page went away meanwhile.
 */
export async function callInPage<Result>(
  tab: BrowserTab,
  source: string,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<Result> {
  const result = await call(tab, source, { args, returnByValue: true }, signal);
  return result.value as Result;
}

/** Like `callInPage`, in a frame of the page. */
export async function callInFrame<Result>(
  tab: BrowserTab,
  { frameId, source, args }: InFrame,
  signal: AbortSignal,
): Promise<Result> {
  const result = await call(tab, source, { args, returnByValue: true, frameId }, signal);
  return result.value as Result;
}

/**
 * Like `callInPage`, for a function that returns an array of elements. @returns their handles, valid while
 * the page stays.
 */
export async function findInPage(
  tab: BrowserTab,
  source: string,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<readonly ElementHandle[]> {
  const { objectId } = await call(tab, source, { args, returnByValue: false }, signal);
  if (objectId === undefined) return [];
  const { result } = await tab.session.send(
    "Runtime.getProperties",
    { objectId, ownProperties: true },
    { signal },
  );
  return result
    .filter(({ name }) => /^\d+$/.test(name))
    .flatMap(({ value }) => (value?.objectId === undefined ? [] : [value.objectId as ElementHandle]));
}

/** Identifies an element of the page to the browser. */
export type ElementHandle = Protocol.Runtime.RemoteObjectId & { readonly isHandle: true };

/** Calls a function with an element, followed by plain JSON data. */
export async function callOnElement<Result>(
  tab: BrowserTab,
  element: ElementHandle,
  { source, args = [] }: { readonly source: string; readonly args?: readonly unknown[] },
  signal: AbortSignal,
): Promise<Result> {
  const outcome = await tab.session.send(
    "Runtime.callFunctionOn",
    {
      functionDeclaration: `function (...args) { return (${source})(this, ...args); }`,
      objectId: element,
      arguments: args.map((value) => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    },
    { signal },
  );
  return resultOf(outcome).value as Result;
}

/** Whether a call failed because another page replaced this one. */
export function hasLeft(failure: unknown): boolean {
  return (
    failure instanceof CdpError &&
    /context|navigated|collected|node with given id|could not find object/i.test(failure.message)
  );
}

/** Returns the value of an answer. @throws PageScriptError with the error that the script threw. */
export function resultOf(outcome: Protocol.Runtime.CallFunctionOnResponse): Protocol.Runtime.RemoteObject {
  const { exceptionDetails, result } = outcome;
  if (!exceptionDetails) return result;
  const { exception, text } = exceptionDetails;
  const thrown = exception?.description ?? (exception && JSON.stringify(exception.value));
  throw new PageScriptError(firstLine(thrown ?? text));
}

interface InFrame {
  readonly frameId: Protocol.Page.FrameId;
  readonly source: string;
  readonly args: readonly unknown[];
}

interface Call {
  readonly args: readonly unknown[];
  readonly returnByValue: boolean;
  /** Default: the main frame. */
  readonly frameId?: Protocol.Page.FrameId;
}

async function call(
  tab: BrowserTab,
  source: string,
  { args, returnByValue, frameId = tab.mainFrameId }: Call,
  signal: AbortSignal,
) {
  const { executionContextId } = await tab.session.send(
    "Page.createIsolatedWorld",
    { frameId, worldName: WORLD },
    { signal },
  );
  const outcome = await tab.session.send(
    "Runtime.callFunctionOn",
    {
      functionDeclaration: source,
      executionContextId,
      arguments: args.map((value) => ({ value })),
      awaitPromise: true,
      returnByValue,
    },
    { signal },
  );
  return resultOf(outcome);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
