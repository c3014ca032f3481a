import { expectReceipt, type OutcomeLine } from "./receipts.ts";
import { TeamClient } from "./team-client.ts";

/** An answer about runs; a test that reads a member that is not there fails. */
export interface RunAnswer {
  readonly success: boolean;
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly creditsUsed: number;
  readonly createdAt: string;
  readonly completedAt: string;
  readonly expiresAt: string;
  readonly duration: number;
  readonly next: string;
  readonly warning: string;
  readonly invalidURLs: readonly string[];
  readonly data: readonly RunDocument[];
  readonly errors: readonly Readonly<Record<string, string>>[];
  readonly robotsBlocked: readonly string[];
  readonly code: string;
  readonly error: string;
  readonly details: readonly {
    readonly code: string;
    readonly path: readonly (string | number)[];
    readonly keys?: readonly string[];
  }[];
}

export interface RunDocument {
  readonly markdown: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly sourceURL: string;
    readonly scrapeId: string;
    readonly creditsUsed: number;
    readonly statusCode: number;
  };
}

/** Asks a service about runs, as one team. */
export class RunClient extends TeamClient<RunAnswer> {
  /** Starts a batch. @returns its id. */
  async batch(body: Readonly<Record<string, unknown>>): Promise<string> {
    const { status, body: answer } = await this.ask("POST /v2/batch/scrape", body);
    if (status !== 200) throw new Error(`The batch was answered ${status}: ${answer.error}`);
    return answer.id;
  }

  /** Waits until a run has ended. @returns its first page. */
  async ended(path: string): Promise<RunAnswer> {
    for (;;) {
      const { status, body } = await this.ask(`GET ${path}`);
      if (status !== 200) throw new Error(`The status was answered ${status}: ${body.error}`);
      if (body.status !== "scraping") {
        const isCrawl = /\/v2\/crawl\/[\w-]+$/.test(path);
        if (isCrawl)
          expectReceipt(await this.outcomes(path), body, (await this.ask(`GET ${path}/errors`)).body);
        return body;
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** The receipt of a crawl, page by page. */
  async outcomes(path: string, limit = 1000): Promise<readonly OutcomeLine[]> {
    const lines: OutcomeLine[] = [];
    for (let next: string | undefined = `${path}/outcomes?limit=${limit}`; next !== undefined;) {
      const { status, text } = await this.read(next);
      if (status !== 200) throw new Error(`The outcomes were answered ${status}: ${text}`);
      const page = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as OutcomeLine);
      next = page.find(({ type }) => type === "next")?.url;
      lines.push(...page.filter(({ type }) => type !== "next"));
    }
    return lines;
  }

  endedBatch(id: string): Promise<RunAnswer> {
    return this.ended(`/v2/batch/scrape/${id}`);
  }

  async all(path: string): Promise<readonly RunDocument[]> {
    const { body } = await this.ask(`GET ${path}`);
    return [...body.data, ...(body.next === undefined ? [] : await this.all(body.next))];
  }
}
