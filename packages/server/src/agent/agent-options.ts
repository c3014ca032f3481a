import type { JobRun } from "../jobs/run-rows.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { AgentOptions } from "./agent-request.ts";

/** What runs were asked for, on its way into the database and back. */
export class SealedOptions {
  readonly #secrets: Pick<Secrets, "seal" | "open">;

  constructor(secrets: Pick<Secrets, "seal" | "open">) {
    this.#secrets = secrets;
  }

  seal(runId: string, options: AgentOptions): string {
    const content = Buffer.from(JSON.stringify(options));
    return Buffer.from(this.#secrets.seal(content, purposeOf(runId))).toString("base64");
  }

  open({ id, options: sealed }: Pick<JobRun, "id" | "options">): AgentOptions {
    const opened = this.#secrets.open(Buffer.from(sealed, "base64"), purposeOf(id));
    return JSON.parse(Buffer.from(opened).toString("utf8")) as AgentOptions;
  }
}

function purposeOf(runId: string): string {
  return `agent:${runId}`;
}
