import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { makeTeam, startSoakService } from "../../test/service-process.ts";
import { openSite } from "../../test/site.ts";
import { benchLooks } from "./looks.ts";
import { type ProcessTree, processTree } from "../../test/process-tree.ts";
import type { Figure } from "./report.ts";
import { quantile } from "./session-browsers.ts";

const ROUNDS = 5;
const REPEATED_CALLS = 20;
const SESSIONS = 10;
/** A team that is alone leaves one place free. */
const ENOUGH_PLACES = { INTERACT_SESSIONS: String(SESSIONS + 1) };
/** The next box is started a while after one was taken. */
const NEXT_BOX_MS = 6000;
const STEADY_MEGABYTES = 5;
const PAGE = `<!doctype html><title>Static</title><h1>Static</h1><p>${"Some text. ".repeat(200)}</p>`;

/** What it costs to go on with a page: processor time of the service with all that it starts, and the wait of callers. */
export async function benchInteract(): Promise<readonly Figure[]> {
  return [...(await benchBoxes()), ...(await benchInterpreter()), ...(await benchLooks())];
}

async function benchBoxes(): Promise<readonly Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "bench-interact-"));
  const site = await openSite();
  const url = site.page("/", PAGE);
  const service = await startSoakService({ command: ["dist/main.js"], dataDir, settings: ENOUGH_PLACES });
  try {
    const { apiKey } = await makeTeam(service.url, { name: "bench" });
    const caller = new BenchCaller(service.url, apiKey, processTree(service.pid));
    await caller.measure("POST", "/v2/scrape", { url, waitFor: 1, maxAge: 0 });
    const scrapes = await caller.repeat(() => ["POST", "/v2/scrape", { url, waitFor: 1, maxAge: 0 }]);
    const firsts: Measured[] = [];
    const seconds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await pause(round === 0 ? 0 : NEXT_BOX_MS);
      const { body } = await caller.measure("POST", "/v2/scrape", { url });
      const path = `/v2/scrape/${body.data?.metadata.scrapeId ?? ""}/interact`;
      firsts.push(await caller.measure("POST", path, { code: "await page.title()" }));
      seconds.push(await caller.cpuMsOf(() => ["POST", path, { code: "1+1" }], REPEATED_CALLS));
      await caller.measure("DELETE", path);
    }
    const [cold, ...warm] = firsts;
    const scrape = middleOf(scrapes);
    const first = middleOf(warm);
    const coldCpuMs = (cold?.cpuMs ?? 0) - scrape.cpuMs;
    const alive = await caller.sessionMegabytes({ hasBox: true });
    const parked = await caller.sessionMegabytes({ hasBox: false });
    return [
      limited("first call, cold, CPU beyond a scrape by browser", coldCpuMs, { most: 1100, unit: "ms" }),
      limited("the same with a box ready", first.cpuMs - scrape.cpuMs, { most: 500, unit: "ms" }),
      limited("first call with a box ready, p50", first.wallMs, { most: 1200, unit: "ms" }),
      limited("second call, 1+1, CPU", quantile(seconds), { most: 5, unit: "ms" }),
      limited(`memory of each of ${SESSIONS} sessions with their boxes (PSS)`, alive, {
        most: 180,
        unit: "MB",
      }),
      limited("the same with boxes parked", parked, { most: 45, unit: "MB" }),
    ];
  } finally {
    await service.stop();
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Where there are no sandboxes: the first call opens an interpreter for the session. */
async function benchInterpreter(): Promise<readonly Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "bench-interpreter-"));
  const settings = { INTERACT_CODE: "wasm" };
  const service = await startSoakService({ command: ["dist/main.js"], dataDir, settings });
  try {
    const { apiKey } = await makeTeam(service.url, { name: "bench" });
    const tree = processTree(service.pid);
    const caller = new BenchCaller(service.url, apiKey, tree);
    const firsts: number[] = [];
    const megabytes: number[] = [];
    const seconds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { body } = await caller.measure("POST", "/v2/browser", {});
      const path = `/v2/browser/${body.id ?? ""}`;
      const call = ["POST", `${path}/execute`, { code: "await page.title()", language: "node" }] as const;
      const before = tree.proportionalMegabytes();
      firsts.push((await caller.measure(...call)).cpuMs);
      megabytes.push(tree.proportionalMegabytes() - before);
      seconds.push(await caller.cpuMsOf(() => call, REPEATED_CALLS));
      await caller.measure("DELETE", path);
    }
    // What the first of all loads stays loaded.
    return [
      limited("level wasm: first call of a session, CPU", quantile(firsts), { most: 150, unit: "ms" }),
      limited("the first of all, memory (PSS)", megabytes[0] ?? 0, { most: 20, unit: "MB" }),
      limited("second call, page.title(), CPU", quantile(seconds), { most: 5, unit: "ms" }),
    ];
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly body: {
    readonly id?: string;
    readonly data?: { readonly metadata: { readonly scrapeId: string } };
  };
}

type Call = readonly [method: string, path: string, body?: object];

class BenchCaller {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #tree: ProcessTree;

  constructor(url: string, apiKey: string, tree: ProcessTree) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#tree = tree;
  }

  async measure(...[method, path, body]: Call): Promise<Measured> {
    const [cpuMs, startMs] = [this.#tree.cpuMs(), performance.now()];
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Measured["body"];
    if (response.status !== 200) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
    return { cpuMs: this.#tree.cpuMs() - cpuMs, wallMs: performance.now() - startMs, body: answer };
  }

  async repeat(call: () => Call, times = ROUNDS): Promise<readonly Measured[]> {
    const measured: Measured[] = [];
    for (let round = 0; round < times; round += 1) measured.push(await this.measure(...call()));
    return measured;
  }

  /** Of many calls together: the system counts in steps of ten milliseconds. @returns for each. */
  async cpuMsOf(call: () => Call, times: number): Promise<number> {
    const before = this.#tree.cpuMs();
    for (let round = 0; round < times; round += 1) await this.measure(...call());
    return (this.#tree.cpuMs() - before) / times;
  }

  /** What each of several sessions takes that do nothing. A box that is parked is none. */
  async sessionMegabytes({ hasBox }: { readonly hasBox: boolean }): Promise<number> {
    const before = await this.#steadyMegabytes();
    const ids: string[] = [];
    for (let count = 0; count < SESSIONS; count += 1) {
      const { body } = await this.measure("POST", "/v2/browser", {});
      const path = `/v2/browser/${body.id ?? ""}`;
      if (hasBox) await this.measure("POST", `${path}/execute`, { code: "1+1", language: "node" });
      ids.push(path);
    }
    const after = this.#tree.proportionalMegabytes();
    for (const path of ids) await this.measure("DELETE", path);
    return (after - before) / SESSIONS;
  }

  /** Memory once nothing starts or ends any more, such as the next box. */
  async #steadyMegabytes(): Promise<number> {
    for (let last = Number.NaN; ;) {
      await pause(NEXT_BOX_MS);
      const now = this.#tree.proportionalMegabytes();
      if (Math.abs(now - last) < STEADY_MEGABYTES) return now;
      last = now;
    }
  }
}

interface Limit {
  readonly most: number;
  readonly unit: string;
}

function limited(name: string, value: number, { most, unit }: Limit): Figure {
  return { name, value: `${value.toFixed(1)} ${unit}`, limit: `${most} ${unit}`, isMet: value <= most };
}

function middleOf(measured: readonly Measured[]): Pick<Measured, "cpuMs" | "wallMs"> {
  return {
    cpuMs: quantile(measured.map((one) => one.cpuMs)),
    wallMs: quantile(measured.map((one) => one.wallMs)),
  };
}
