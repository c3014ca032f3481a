import { CdpError } from "../cdp/cdp-session.ts";
import type { BrowserTab } from "./tab.ts";
import { agentOf, hintsOf } from "./visitor.ts";

/** Properties of the visitor's browser and place that a page can detect. */
export interface Appearance {
  /** Undefined: that of the browser itself, or of a phone. */
  readonly userAgent: string | undefined;
  readonly isMobile: boolean;
  /** Most preferred first. */
  readonly languages: readonly string[];
  /** BCP 47. If the browser does not know the locale, `en-US` is used. */
  readonly locale: string;
  /** IANA name. */
  readonly timezone: string;
  /** Degrees. Undefined gives pages no location. */
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined;
}

/** Languages that our browsers are started with. Workers of a headless shell do not know them. */
const OWN_LANGUAGES = "en-US,en";
/** Replaces tags that have the form of a locale and name none, such as `und`. */
const OTHER_LOCALE = "en-US";
/** Metres. */
const POSITION_ACCURACY = 50;
const TOUCH_POINTS = 5;

/**
 * Makes the browser appear as requested, to pages and to servers. Call it before navigation.
 * @throws CdpError when the browser knows no such time zone.
 */
export async function appear(tab: BrowserTab, appearance: Appearance, signal: AbortSignal): Promise<void> {
  const { session } = tab;
  const { languages, locale, timezone, position, isMobile } = appearance;
  const userAgent = appearance.userAgent ?? agentOf(tab.version, isMobile);
  const acceptLanguage = languages.join(",");
  const agent = {
    userAgent,
    ...hintsOf(userAgent, tab.version),
    // The browser adds the decreasing quality values itself, and sends the header in an unusual place then.
    ...((acceptLanguage !== OWN_LANGUAGES || !tab.isOurs || !tab.isWhole) && { acceptLanguage }),
  };
  tab.workers.show(agent);
  await Promise.all([
    session.send("Emulation.setUserAgentOverride", agent, { signal }),
    setLocale(tab, locale, signal),
    session.send("Emulation.setTimezoneOverride", { timezoneId: timezone }, { signal }),
    isMobile && touch(tab, signal),
    !tab.isWhole && refuseNotifications(tab, signal),
    position && place(tab, position, signal),
  ]);
}

/** Callers choose the locale, and only the browser decides whether it is valid. */
async function setLocale({ session }: BrowserTab, locale: string, signal: AbortSignal): Promise<void> {
  try {
    await session.send("Emulation.setLocaleOverride", { locale }, { signal });
  } catch (failure) {
    if (!(failure instanceof CdpError)) throw failure;
    await session.send("Emulation.setLocaleOverride", { locale: OTHER_LOCALE }, { signal });
  }
}

/** A headless shell tells pages that they may ask, and that they were refused. */
async function refuseNotifications({ browser, contextId }: BrowserTab, signal: AbortSignal): Promise<void> {
  const permission = { name: "notifications" };
  const denied = { permission, setting: "denied" as const, browserContextId: contextId };
  await browser.send("Browser.setPermission", denied, { signal });
}

async function touch(tab: BrowserTab, signal: AbortSignal): Promise<void> {
  tab.isTouched = true;
  await tab.session.send(
    "Emulation.setTouchEmulationEnabled",
    { enabled: true, maxTouchPoints: TOUCH_POINTS },
    { signal },
  );
}

async function place(
  tab: BrowserTab,
  position: { readonly latitude: number; readonly longitude: number },
  signal: AbortSignal,
): Promise<void> {
  const permission = { permissions: ["geolocation" as const], browserContextId: tab.contextId };
  await Promise.all([
    tab.session.send(
      "Emulation.setGeolocationOverride",
      { ...position, accuracy: POSITION_ACCURACY },
      { signal },
    ),
    tab.browser.send("Browser.grantPermissions", permission, { signal }),
  ]);
}
