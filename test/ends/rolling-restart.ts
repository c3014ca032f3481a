import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import { WebSocket } from "ws";

import { type Cluster, openCluster } from "../cluster.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { type BalancerKind, freePort, ownBalancer } from "./balancers.ts";
import { makeTeam, type SoakService } from "../service-process.ts";

interface RollingOptions {
  /** The folder of the programs of Postgres. */
  readonly programs: string;
  readonly command: readonly string[];
  readonly nodes: number;
  /** How often each node is ended and started again. */
  readonly rounds: number;
  readonly clients: number;
  /** Default: our own. */
  readonly balancer?: BalancerKind;
}

export interface RollingReport {
  readonly restarts: number;
  readonly answered: number;
  /** Ends of WebSockets, by their code. */
  readonly closes: ReadonlyMap<number, number>;
  readonly slowestMs: number;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const PAGES = 40;
const WATCHED_PAGES = 400;
const SLOW_PAGE_MS = 1500;
const DRAIN_LIMIT_SECONDS = "10";
/** A batch has ended, or the service restarts. */
const RIGHT_CLOSES: ReadonlySet<number> = new Set([1000, 1012]);
const MAX_PROBLEMS = 20;

/** Restarts all nodes in turn behind a balancer, while clients ask without a pause and watch a batch. */
export async function restartInTurn(options: RollingOptions): Promise<RollingReport> {
  const cluster = await openCluster(options.programs, options.command);
  const site = await openSite();
  try {
    return await new RollingRestart(cluster, site, options).run();
  } finally {
    await cluster.close();
    await site.close();
  }
}

class RollingRestart {
  readonly #cluster: Cluster;
  readonly #site: Site;
  readonly #options: RollingOptions;
  readonly #balancer: BalancerKind;
  readonly #problems: string[] = [];
  readonly #closes = new Map<number, number>();
  #url = "";
  #headers: Readonly<Record<string, string>> = {};
  #answered = 0;
  #slowestMs = 0;
  #isOver = false;

  constructor(cluster: Cluster, site: Site, options: RollingOptions) {
    this.#cluster = cluster;
    this.#site = site;
    this.#options = options;
    this.#balancer = options.balancer ?? ownBalancer;
  }

  async run(): Promise<RollingReport> {
    const { rounds, clients } = this.#options;
    const nodes = await this.#startAll();
    const balancer = await this.#balancer.start(nodes.map(({ service }) => service.url));
    try {
      this.#url = balancer.url;
      await this.#ready(this.#url);
      const { apiKey } = await makeTeam(this.#url, { name: "team", credits: 1_000_000 });
      this.#headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
      this.#openPages();
      const working = [...Array.from({ length: clients }, (_, client) => this.#ask(client)), this.#watch()];
      for (let round = 0; round < rounds; round += 1) for (const node of nodes) await this.#restart(node);
      this.#isOver = true;
      await Promise.all(working);
    } finally {
      this.#isOver = true;
      await balancer.stop();
    }
    return {
      restarts: rounds * nodes.length,
      answered: this.#answered,
      closes: this.#closes,
      slowestMs: this.#slowestMs,
      problems: this.#problems.slice(0, MAX_PROBLEMS),
    };
  }

  #startAll(): Promise<readonly RollingNode[]> {
    const starts = Array.from({ length: this.#options.nodes }, async () => {
      const port = await freePort();
      return { port, service: await this.#start(port) };
    });
    return Promise.all(starts);
  }

  #start(port: number): Promise<SoakService> {
    return this.#cluster.start({
      PORT: String(port),
      DRAIN_DELAY_SECONDS: String(this.#balancer.drainDelaySeconds),
      DRAIN_LIMIT_SECONDS,
    });
  }

  async #restart(node: RollingNode): Promise<void> {
    await node.service.stop();
    node.service = await this.#start(node.port);
    await this.#ready(node.service.url);
    // The balancer has seen it, too.
    await pause(1000);
  }

  async #ready(url: string): Promise<void> {
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await pause(100);
    }
  }

  #openPages(): void {
    for (let page = 0; page < PAGES; page += 1)
      this.#site.page(`/${page}`, htmlPage(`<main><h1>${page}</h1></main>`));
    this.#site.otherwise((_request, response) => {
      setTimeout(() => response.end(htmlPage("<main>Slow</main>")), SLOW_PAGE_MS).unref();
    });
  }

  /** One client: cached pages, fresh ones, slow ones. */
  async #ask(client: number): Promise<void> {
    for (let turn = client; !this.#isOver; turn += 1) {
      const path = turn % 11 === 10 ? `/slow/${client}/${turn}` : `/${turn % PAGES}`;
      const body = { url: this.#site.url(path), ...(turn % 2 === 0 && { maxAge: 0 }) };
      const startMs = performance.now();
      const problem = await this.#post("/v2/scrape", body);
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startMs);
      if (problem === undefined) this.#answered += 1;
      else this.#problems.push(`a request failed: ${problem}`);
      await pause(5);
    }
  }

  /** @returns why it was not answered. */
  async #post(path: string, body: object): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return response.status === 200 ? undefined : `${response.status} ${text.slice(0, 200)}`;
    } catch (failure) {
      const { message, cause } = failure as Error;
      return `${message}: ${String(cause)}`;
    }
  }

  /** Watches a long batch, and comes again each time that its connection ends. */
  async #watch(): Promise<void> {
    const urls = Array.from({ length: WATCHED_PAGES }, (_, page) => this.#site.url(`/watched/${page}`));
    const response = await fetch(`${this.#url}/v2/batch/scrape`, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify({ urls }),
    });
    const { id } = (await response.json()) as { readonly id: string };
    while (!this.#isOver) {
      const socket = new WebSocket(`${this.#url.replace("http", "ws")}/v2/batch/scrape/${id}`, {
        headers: this.#headers,
      });
      socket.on("error", (failure) => this.#problems.push(`a WebSocket failed: ${failure.message}`));
      const over = setInterval(() => this.#isOver && socket.terminate(), 100);
      const [code] = (await once(socket, "close")) as [number];
      clearInterval(over);
      if (this.#isOver) return;
      this.#closes.set(code, (this.#closes.get(code) ?? 0) + 1);
      if (!RIGHT_CLOSES.has(code)) this.#problems.push(`a WebSocket was closed with ${code}`);
      if (code === 1000) return;
    }
  }
}

interface RollingNode {
  readonly port: number;
  service: SoakService;
}
