import type { Protocol } from "devtools-protocol";

import type { CdpSession } from "../cdp/cdp-session.ts";

/** Later workers of a page start as the browser makes them, so that a page cannot keep this process busy. */
export const MAX_WORKERS = 100;

/** Shows the workers of a page the same visitor as the page. Overrides of a page reach its frames, not its workers. */
export class PageWorkers {
  #agent: Protocol.Emulation.SetUserAgentOverrideRequest | undefined;
  #started = 0;

  /** Sets the visitor of workers that start from now on. */
  show(agent: Protocol.Emulation.SetUserAgentOverrideRequest): void {
    this.#agent = agent;
  }

  /** Lets workers that the target of the session starts wait until they show the visitor. */
  watch(session: CdpSession): Promise<void> {
    session.on("Target.attachedToTarget", ({ sessionId }) => {
      this.prepare(session.other(sessionId));
      if (this.#started >= MAX_WORKERS) session.post("Target.setAutoAttach", attach(false));
    });
    return session.send("Target.setAutoAttach", attach(true));
  }

  /** Shows a waiting worker the visitor, and lets it and its own workers start. */
  prepare(worker: CdpSession): void {
    this.#started += 1;
    if (this.#started <= MAX_WORKERS) {
      if (this.#agent) worker.post("Emulation.setUserAgentOverride", this.#agent);
      this.watch(worker).catch(() => undefined);
    }
    worker.post("Runtime.runIfWaitingForDebugger");
  }
}

function attach(autoAttach: boolean): Protocol.Target.SetAutoAttachRequest {
  const filter = [{ type: "worker" }];
  return { autoAttach, waitForDebuggerOnStart: autoAttach, flatten: true, filter };
}
