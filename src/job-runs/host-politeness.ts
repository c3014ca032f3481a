import { LRUCache } from "lru-cache";

import { HostQueue, type HostQueueOptions, type VisitEnding } from "./host-queue.ts";

/** A visit to a host that may begin. It has to be ended. */
export interface HostVisit {
  end(ending: VisitEnding): void;
}

/** Hosts without visits that are remembered. */
const REMEMBERED_HOSTS = 20_000;

/**
 * How runs treat the hosts that they visit (contract of the families, section 4.7), all of them in this process together:
 * a few visits at once, more while the host takes them well, fewer when it complains, none while it asks to be left alone.
 */
export class HostPoliteness {
  readonly #options: HostQueueOptions;
  readonly #busy = new Map<string, HostQueue>();
  readonly #idle = new LRUCache<string, HostQueue>({ max: REMEMBERED_HOSTS });

  constructor(options: HostQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits until the host may be visited.
   * @param host with its port.
   * @param gapMs how far apart visits to it begin at least. Default: 0.
   * @returns undefined when it has failed so often in a row that it is not worth a visit.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter(host: string, signal: AbortSignal, gapMs = 0): Promise<HostVisit | undefined> {
    const queue = this.#queueOf(host);
    this.#busy.set(host, queue);
    try {
      if (!(await queue.enter(signal, gapMs))) return undefined;
    } finally {
      this.#rest(host, queue);
    }
    return {
      end: (ending) => {
        queue.leave(ending);
        this.#rest(host, queue);
      },
    };
  }

  #queueOf(host: string): HostQueue {
    return this.#busy.get(host) ?? this.#idle.get(host) ?? new HostQueue(this.#options);
  }

  #rest(host: string, queue: HostQueue): void {
    if (queue.isUsed || this.#busy.get(host) !== queue) return;
    this.#busy.delete(host);
    this.#idle.set(host, queue);
  }
}
