import type { Protocol } from "devtools-protocol";

import { CdpError } from "../cdp/cdp-session.ts";
import type { BrowserTab } from "./tab.ts";

/** A script of ours failed in the page, or one of the page's did. The message is the page's own. */
export class PageScriptError extends Error {
  override readonly name = "PageScriptError";
}

/** A world besides the page's own: it sees the same document, and nothing that the page's scripts have changed. */
const WORLD = "pergamon";

/**
 * Calls a function in the page, besides the page's own scripts, and waits for its promise.
 * @param source JavaScript of a function. Text, as a build may change functions in ways that fail in a page.
 * @param args plain JSON data.
 * @returns what the function returned, as JSON data.
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

/** The same in a frame of the page. */
export async function callInFrame<Result>(
  tab: BrowserTab,
  { frameId, source, args }: InFrame,
  signal: AbortSignal,
): Promise<Result> {
  const result = await call(tab, source, { args, returnByValue: true, frameId }, signal);
  return result.value as Result;
}

/** The same for a function that returns an array of elements. @returns their handles, valid while the page stays. */
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

/** Names an element of the page towards the browser. */
export type ElementHandle = Protocol.Runtime.RemoteObjectId & { readonly isHandle: true };

/** Calls a function with an element, and plain JSON data after it. */
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

/** Whether the page that was spoken to has gone, because another one was opened. */
export function hasLeft(failure: unknown): boolean {
  return (
    failure instanceof CdpError &&
    /context|navigated|collected|node with given id|could not find object/i.test(failure.message)
  );
}

/** The value of an answer. @throws PageScriptError with what the script threw. */
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
