import { BrowserLender } from "../platform/browser/lease/browser-lender.ts";
import { type LentProgram, PROGRAMS } from "../platform/browser/lease/lease-order.ts";
import { TABS_PER_LEASE } from "../platform/browser/lease/leased-pool.ts";
import type { NodeFacts } from "../platform/coordination/nodes.ts";
import { findLent } from "./browsers.ts";
import type { AppContext } from "./context.ts";

/** What this process lends. */
export interface Lending {
  readonly lender: BrowserLender;
  readonly facts: () => NodeFacts["browsers"];
}

/** @returns undefined where others cannot reach it, or it has no browsers of its own. */
export async function openLender(context: AppContext): Promise<Lending | undefined> {
  const { config, resources } = context;
  const { roles, url } = config.nodes;
  const { urls, tabs } = config.browser;
  if (url === undefined || !roles.has("browse") || urls.length > 0) return undefined;
  const lender = new BrowserLender({
    most: Math.ceil(tabs / TABS_PER_LEASE),
    find: (order, signal) => findLent(context, order, signal),
  });
  resources.add(lender, (opened) => opened.close());
  const programs = await lentPrograms(context);
  const most = programs.length === 0 ? 0 : lender.most;
  return { lender, facts: () => ({ most, free: Math.min(most, lender.free), programs }) };
}

async function lentPrograms(context: AppContext): Promise<readonly LentProgram[]> {
  const { signal } = new AbortController();
  const found = await Promise.all(
    PROGRAMS.map(async (program) => {
      const order = { program, isolatesSites: false, opensWindows: false };
      return (await findLent(context, order, signal)) ? [program] : [];
    }),
  );
  return found.flat();
}
