import type { CdpSession } from "@pergamon-dev/browser/cdp/cdp-session";
import { callOf, type PageScript } from "./page-function.ts";

/** Result of a script. `objectId` names a value that stays in the page. */
interface RemoteValue {
  readonly value?: unknown;
  readonly unserializableValue?: string;
  readonly objectId?: string;
  readonly subtype?: string;
}

interface Thrown {
  readonly text: string;
  readonly exception?: { readonly description?: string; readonly value?: unknown };
}

/** Runs scripts in the page's main world. */
export class PageRealm {
  readonly session: CdpSession;

  constructor(session: CdpSession) {
    this.session = session;
  }

  /** @throws Error with the message of the script's exception. */
  async evaluate(script: PageScript, argument?: unknown): Promise<unknown> {
    const expression = callOf(script, argument);
    const options = { awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await this.session.send("Runtime.evaluate", {
      expression,
      ...options,
    });
    return valueOf(result, exceptionDetails);
  }

  /** Like `evaluate`, but the result stays in the page. */
  async evaluateHandle(script: PageScript, argument?: unknown): Promise<RemoteValue> {
    const expression = callOf(script, argument);
    const { result, exceptionDetails } = await this.session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
    });
    return checked(result, exceptionDetails);
  }

  /** Calls a function with a kept value as `this`. */
  async call(objectId: string, source: string, argument?: unknown): Promise<unknown> {
    const { result, exceptionDetails } = await this.session.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: source,
      arguments: [{ value: argument }],
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    return valueOf(result, exceptionDetails);
  }

  async callHandle(objectId: string, source: string, argument?: unknown): Promise<RemoteValue> {
    const { result, exceptionDetails } = await this.session.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: source,
      arguments: [{ value: argument }],
      awaitPromise: true,
    });
    return checked(result, exceptionDetails);
  }
}

function checked(result: RemoteValue, thrown: Thrown | undefined): RemoteValue {
  if (!thrown) return result;
  const { exception, text } = thrown;
  throw new Error(
    exception?.description?.split("\n    at ", 1)[0] ?? JSON.stringify(exception?.value ?? text),
  );
}

function valueOf(result: RemoteValue, thrown: Thrown | undefined): unknown {
  const { value, unserializableValue } = checked(result, thrown);
  return unserializableValue ?? value;
}
