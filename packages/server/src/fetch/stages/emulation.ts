import { type Appearance, appear } from "@pergamon-dev/browser/tab/emulation";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { setViewport, type Viewport } from "@pergamon-dev/browser/tab/viewport";
import { viewportOf } from "../device.ts";
import { localeIn } from "../locales/locales.ts";
import type { Visit } from "../visit.ts";
import type { BrowserStage } from "./stage.ts";

export interface Emulation {
  /**
   * Keeps the visitor's browser, screen, languages, zone and position consistent (contract, sections 3.18 and
   * 3.19).
   */
  readonly stage: BrowserStage;
  /** Gives an idle tab the disguise of the last visitor, because the next one mostly looks the same. */
  prepareIdleTab(tab: BrowserTab): Promise<void>;
}

/** Everything that a page can see of its visitor. */
interface Disguise {
  readonly viewport: Viewport;
  readonly appearance: Appearance;
}

export function openEmulation(): Emulation {
  const applied = new WeakMap<BrowserTab, string>();
  let usual: Disguise | undefined;

  async function apply(tab: BrowserTab, disguise: Disguise, signal: AbortSignal): Promise<void> {
    const wanted = JSON.stringify(disguise);
    if (applied.get(tab) === wanted) return;
    await Promise.all([
      setViewport(tab, disguise.viewport, signal),
      appear(tab, disguise.appearance, signal),
    ]);
    applied.set(tab, wanted);
  }

  return {
    async prepareIdleTab(tab) {
      if (usual) await apply(tab, usual, new AbortController().signal);
    },
    stage: {
      async prepare(tab, { visit }, signal) {
        const disguise = disguiseOf(visit);
        if (isEasilyChanged(disguise)) usual = disguise;
        await apply(tab, disguise, signal);
      },
      async onReady(_tab, { visit }) {
        return { timezone: localeIn(visit.country, visit.languages).timezone };
      },
    },
  };
}

/** Touch and position cannot be undone in a tab, so a tab is not prepared with them. */
function isEasilyChanged({ appearance }: Disguise): boolean {
  return !appearance.isMobile && appearance.position === undefined;
}

function disguiseOf(visit: Visit): Disguise {
  const { browser, country, languages, proxyCountry } = visit;
  const { latitude, longitude, ...place } = localeIn(country, languages);
  const isMobile = browser.mobile;
  const appearance = {
    ...place,
    userAgent: givenAgent(visit),
    isMobile,
    // Without `location` in the request, pages that ask for the position get none.
    position: proxyCountry === undefined ? undefined : { latitude, longitude },
  };
  return { viewport: viewportOf(browser), appearance };
}

function givenAgent({ headers }: Visit): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent")?.[1];
}
