import { lazy } from "@pergamon-dev/kit/lazy";
import type { FindSession } from "./live/session-tokens.ts";
import type { Interact } from "./interact.ts";
import { recoverSessions } from "./recover.ts";
import type { Session } from "./session.ts";
import type { SessionChange } from "./live-sessions.ts";
import type { OpenServices } from "./open-session.ts";
import type { PlannedCode } from "./languages/refuse-code.ts";
import type { CodeRunners } from "./languages/runners.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type Launcher, openLauncher } from "@pergamon-dev/browser/launch/launch";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import type { Guard } from "../net/guard/guard.ts";
import { egressBehind } from "../net/egress/egress.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { SessionLauncher } from "@pergamon-dev/browser/session-browser";
import type { Accounts } from "../accounts/open.ts";
import { type Context, reporter } from "../config/context.ts";
import { findSessionBrowser } from "../fetch/browsers.ts";
import type { Fetching } from "../fetch/open.ts";
import type { NodeContext } from "../http/nodes/open.ts";
import type { Net } from "../net/open.ts";
import type { Scraping } from "../scrape/open.ts";
import type { ModelContext } from "../storage/models/open.ts";
import type { Storage } from "../storage/open.ts";
import { type SessionRow, SessionRows } from "./session-rows.ts";

/** Sessions on live pages. Nothing is loaded before the first call. */
export interface InteractPart {
  load(): Promise<Interact>;
  count(): number;
  /** A session of this process. */
  live(id: string): Session | undefined;
  /**
   * Calls the listener when a session of this process begins or has ended. @returns a function that stops it.
   */
  watch(listener: (change: SessionChange) => void): () => void;
  /** The latest sessions of all processes, newest first. */
  latest(limit: number): Promise<readonly Pick<SessionRow, "id" | "state">[]>;
  /** Looks up the session of a token. */
  readonly find: FindSession;
}

export interface InteractContext {
  readonly interact: InteractPart;
}

type InteractBelow = Context & Storage & Net & Accounts & NodeContext & Fetching & ModelContext & Scraping;

/** Services that are needed once the first session is opened. */
type LoadContext = InteractBelow & {
  readonly rows: SessionRows;
  readonly onChange: (change: SessionChange) => void;
};

/** How often sessions of dead processes and unwritten charges are looked for. */
const RECOVERY_INTERVAL_MS = 5000;

export async function openInteract(context: InteractBelow): Promise<InteractContext> {
  const { log, resources, services, teamData, database } = context;
  const rows = teamData.add(new SessionRows(database));
  const runners = lazyRunners(context);
  let loading: Promise<Interact> | undefined;
  let loaded: Interact | undefined;
  const listeners = new Set<(change: SessionChange) => void>();
  const onChange = (change: SessionChange) => {
    for (const listener of listeners) listener(change);
  };
  const load = lazy(async () => {
    loading = loadInteract({ ...context, rows, onChange }, runners.get);
    loaded = await loading;
    return loaded;
  });
  resources.add(runners, (opened) => opened.close());
  resources.add(load, async () => {
    const interact = await loading?.catch(() => undefined);
    await interact?.sessions.close();
  });
  const recover = async () => {
    const ended = await recoverSessions({ ...context, charges: services.charges, rows });
    if (ended > 0) log.warn({ ended }, "Sessions that a crash interrupted were charged.");
    await loaded?.sessions.settleRest();
  };
  await recover();
  const onError = reporter(log, "Abandoned sessions of ended processes could not be read.");
  resources.add(repeat(RECOVERY_INTERVAL_MS, recover, onError), (looking) => looking.stop());
  const interact: InteractPart = {
    load,
    count: () => loaded?.sessions.count ?? 0,
    live: (id) => loaded?.sessions.live(id),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async latest(limit) {
      const { searchSessions } = await import("./session-search.ts");
      const { data } = await searchSessions(database, { limit });
      return data.map(({ id, state }) => ({ id, state }));
    },
    find(token) {
      const found = loaded?.sessions.byToken(token);
      return found && { ...found, session: found.session.browser };
    },
  };
  return { interact };
}

async function loadInteract(context: LoadContext, runners: () => Promise<CodeRunners>): Promise<Interact> {
  const [{ Interact: InteractClass }, { Sessions }, { SessionPlaces }, { openPromptRunner }] =
    await Promise.all([
      import("./interact.ts"),
      import("./sessions.ts"),
      import("./session-places.ts"),
      import("./prompt/run-prompt.ts"),
    ]);
  const { config, services, models } = context;
  const sessions = new Sessions({
    ...services,
    ...context,
    nodeTag: context.nodes?.tag,
    stages: context.sessionStages,
    get proxies() {
      return config.network.proxies;
    },
    places: new SessionPlaces({
      most: config.interact.maxSessions,
      isShared: config.accounts.auth === "keys",
    }),
    openBrowser: await openSessionBrowsers(context),
    openRunner: async (browser) => (await runners()).open(browser),
  });
  const prompting = openPromptRunner(models);
  const runPrompt = () => (models.isConfigured ? prompting : undefined);
  const prepareCode = async (code: PlannedCode) => (await runners()).refuse(code);
  return new InteractClass({ sessions, runPrompt, prepareCode, log: context.log });
}

async function openSessionBrowsers(context: LoadContext): Promise<OpenServices["openBrowser"]> {
  const { openSessionBrowser } = await import("@pergamon-dev/browser/session-browser");
  const { config, guard } = context;
  const { egressHost } = config.browser;
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

/** A guard that refuses further hosts. */
function narrowed(guard: Guard, refusesHost: ((url: URL) => boolean) | undefined): Guard {
  if (!refusesHost) return guard;
  return {
    async admit(url, signal) {
      if (!refusesHost(url)) return guard.admit(url, signal);
      throw new NetworkError("blocked", "This host is blocked.", { host: url.hostname });
    },
  };
}

/** Opens the code runners with the first code. */
function lazyRunners({ config, log }: Context) {
  let opening: Promise<CodeRunners> | undefined;
  const open = async () => {
    const { openRunners } = await import("./languages/runners.ts");
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
