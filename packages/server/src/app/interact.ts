import { lazy } from "@pergamon-dev/kit/lazy";
import type { FindSession } from "../interact/live/session-tokens.ts";
import type { Interact } from "../interact/interact.ts";
import { recoverSessions } from "../interact/recover.ts";
import type { Session } from "../interact/session.ts";
import type { SessionChange } from "../interact/live-sessions.ts";
import type { OpenServices } from "../interact/open-session.ts";
import type { PlannedCode } from "../interact/languages/refuse-code.ts";
import type { CodeRunners } from "../interact/languages/runners.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type Launcher, openLauncher } from "@pergamon-dev/browser/launch/launch";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import type { Guard } from "../net/guard/guard.ts";
import { egressBehind } from "../net/egress/egress.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { SessionLauncher } from "@pergamon-dev/browser/session-browser";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { RunServices } from "../scrape/run.ts";
import type { BrowserStage } from "../fetch/stages/stage.ts";
import type { Accounts } from "./accounts.ts";
import { findSessionBrowser } from "./browsers.ts";
import { type AppContext, reporter } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import type { NodePart } from "./nodes.ts";
import type { Stores } from "./stores.ts";

/** Sessions on live pages. Nothing of it is loaded before the first call. */
export interface InteractPart {
  load(): Promise<Interact>;
  /** How many sessions live in this process. */
  count(): number;
  /** A session that lives in this process. */
  live(id: string): Session | undefined;
  /** Tells when one of them begins or has ended. @returns what ends that. */
  watch(listener: (change: SessionChange) => void): () => void;
  /** What a token in an address opens. */
  readonly find: FindSession;
}

interface InteractNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly services: RunServices;
  readonly stages: readonly BrowserStage[];
  readonly models: LanguageModels;
  readonly nodes: NodePart | undefined;
}

/** How often sessions of processes that died are looked for, and those whose charge could not be written. */
const RECOVERY_INTERVAL_MS = 5000;

export async function openInteract(context: AppContext, needs: InteractNeeds): Promise<InteractPart> {
  const { log, resources } = context;
  const runners = lazyRunners(context);
  let loading: Promise<Interact> | undefined;
  let loaded: Interact | undefined;
  const listeners = new Set<(change: SessionChange) => void>();
  const onChange = (change: SessionChange) => {
    for (const listener of listeners) listener(change);
  };
  const load = lazy(async () => {
    loading = loadInteract(context, { ...needs, onChange }, runners.get);
    loaded = await loading;
    return loaded;
  });
  resources.add(runners, (opened) => opened.close());
  resources.add(load, async () => {
    const interact = await loading?.catch(() => undefined);
    await interact?.sessions.close();
  });
  const { database, coordinator } = needs.stores;
  const { credits, charges } = needs.services;
  const { owner } = needs.accounts;
  const services = { database, coordinator, owner, credits, charges, rows: needs.kept.sessions };
  const recover = async () => {
    const ended = await recoverSessions(services);
    if (ended > 0) log.warn({ ended }, "Sessions that a crash interrupted were charged.");
    await loaded?.sessions.settleRest();
  };
  await recover();
  const onError = reporter(log, "Abandoned sessions of ended processes could not be read.");
  resources.add(repeat(RECOVERY_INTERVAL_MS, recover, onError), (looking) => looking.stop());
  return {
    load,
    count: () => loaded?.sessions.count ?? 0,
    live: (id) => loaded?.sessions.live(id),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    find(token) {
      const found = loaded?.sessions.byToken(token);
      return found && { ...found, session: found.session.browser };
    },
  };
}

async function loadInteract(
  context: AppContext,
  needs: InteractNeeds & { readonly onChange: (change: SessionChange) => void },
  runners: () => Promise<CodeRunners>,
): Promise<Interact> {
  const [{ Interact: InteractClass }, { Sessions }, { SessionPlaces }, { openPromptRunner }] =
    await Promise.all([
      import("../interact/interact.ts"),
      import("../interact/sessions.ts"),
      import("../interact/session-places.ts"),
      import("../interact/prompt/run-prompt.ts"),
    ]);
  const { config } = context;
  const { accounts, kept, services, stores, models } = needs;
  const sessions = new Sessions({
    ...services,
    database: stores.database,
    coordinator: stores.coordinator,
    rows: kept.sessions,
    owner: accounts.owner,
    nodeTag: needs.nodes?.tag,
    stages: needs.stages,
    onChange: needs.onChange,
    get proxies() {
      return config.network.proxies;
    },
    places: new SessionPlaces({
      most: config.interact.maxSessions,
      isShared: config.accounts.auth === "keys",
    }),
    openBrowser: await openSessionBrowsers(context, needs),
    openRunner: async (browser) => (await runners()).open(browser),
  });
  const prompting = openPromptRunner(models);
  const runPrompt = () => (models.isConfigured ? prompting : undefined);
  const prepareCode = async (code: PlannedCode) => (await runners()).refuse(code);
  return new InteractClass({ sessions, runPrompt, prepareCode, log: context.log });
}

async function openSessionBrowsers(
  context: AppContext,
  { network: { guard } }: Pick<InteractNeeds, "network">,
): Promise<OpenServices["openBrowser"]> {
  const { openSessionBrowser } = await import("@pergamon-dev/browser/session-browser");
  const { egressHost } = context.config.browser;
  let local: Launcher | undefined;
  const launch: SessionLauncher = async (signal) => {
    const found = await findSessionBrowser(context, signal);
    if (!found) throw new BrowserFailure("unavailable", "No browser was found.");
    local ??= openLauncher(found);
    return local(signal);
  };
  return ({ refusesHost, ...options }, signal) =>
    openSessionBrowser(
      { launch, openEgress: egressBehind(narrowed(guard, refusesHost)), egressHost, ...options },
      signal,
    );
}

/** A guard that admits nothing of some hosts. */
function narrowed(guard: Guard, refusesHost: ((url: URL) => boolean) | undefined): Guard {
  if (!refusesHost) return guard;
  return {
    async admit(url, signal) {
      if (!refusesHost(url)) return guard.admit(url, signal);
      throw new NetworkError("blocked", "This host is blocked.", { host: url.hostname });
    },
  };
}

/** What runs code, opened with the first code. */
function lazyRunners({ config, log }: AppContext) {
  let opening: Promise<CodeRunners> | undefined;
  const open = async () => {
    const { openRunners } = await import("../interact/languages/runners.ts");
    const onError = reporter(log, "A sandbox for code did not start.");
    return openRunners({ wanted: config.interact.code, onError });
  };
  return {
    get: lazy(() => (opening = open())),
    async close() {
      const runners = await opening?.catch(() => undefined);
      await runners?.close();
    },
  };
}
