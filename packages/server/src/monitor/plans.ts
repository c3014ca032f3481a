import { LRUCache } from "lru-cache";

import { isJsonObject } from "@pergamon-dev/kit/json";
import { SealedOptions } from "../jobs/sealed-options.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import { planForAll, type PlannedOptions } from "../scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { MonitorPlan } from "./request.ts";
import type { Target } from "./targets.ts";
import { type TrackedOptions, trackedOptions } from "./tracked-options.ts";

/** Opened plans that are cached. */
const REMEMBERED = 200;

/** Scrape options and comparison of a target's pages. */
interface TargetPlan extends TrackedOptions {
  readonly pages: PlannedOptions;
}

/**
 * Encrypts and decrypts the plans of monitors for the database, as they may contain cookies and passwords.
 */
export class MonitorPlans {
  readonly #sealed: SealedOptions<MonitorPlan>;
  readonly #planned = new LRUCache<string, TargetPlan>({ max: REMEMBERED });

  constructor(secrets: Pick<Secrets, "seal" | "open">) {
    this.#sealed = new SealedOptions<MonitorPlan>(secrets, "monitor", (plan) => plan);
  }

  /** @param id id of the monitor, or of its check. */
  seal(id: string, plan: MonitorPlan): string {
    return this.#sealed.seal(id, plan);
  }

  open(id: string, options: string): MonitorPlan {
    return this.#sealed.open({ id, options });
  }

  /** The plan of a check, which never changes. */
  ofCheck(id: string, options: string): MonitorPlan {
    return this.#sealed.of({ id, options });
  }

  /** The options of a target in a check. */
  ofTarget(checkId: string, target: Target): TargetPlan {
    const key = `${checkId} ${target.id}`;
    const known = this.#planned.get(key);
    if (known) return known;
    const plan = this.planOf(target);
    this.#planned.set(key, plan);
    return plan;
  }

  /** @throws ZodError for invalid options. */
  planOf(target: Target): TargetPlan {
    const tracked = trackedOptions(pageOptionsOf(target));
    return { ...tracked, pages: planForAll(scrapeOptionsSchema().parse(tracked.scrape), tracked.scrape) };
  }
}

/** Scrape options of a target's pages, before parsing. */
export function pageOptionsOf(target: Target): object | undefined {
  if (target.type === "search") return RESULT_OPTIONS;
  if (target.type === "scrape" || target.scrapeOptions) return target.scrapeOptions;
  const { scrapeOptions: own } = (target.crawlOptions ?? {}) as { readonly scrapeOptions?: unknown };
  return isJsonObject(own) ? own : undefined;
}

/** A result costs one credit even if its document is long, because the first page shows what it is about. */
const RESULT_OPTIONS = { parsers: [{ type: "pdf", maxPages: 1 }] };
