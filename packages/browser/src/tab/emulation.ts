import type { Protocol } from "devtools-protocol";

import { CdpError } from "../cdp/cdp-session.ts";
import type { BrowserTab } from "./tab.ts";

/** Properties of the visitor's browser and place that a page can detect. */
export interface Appearance {
  readonly userAgent: string;
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

/** Client hints of a phone. */
const PHONE = { platform: "Android", platformVersion: "14.0.0", model: "Pixel 8" };
const COMPUTER = { platform: "Windows", platformVersion: "15.0.0", model: "" };
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
  const { userAgent, languages, locale, timezone, position, isMobile } = appearance;
  await Promise.all([
    session.send(
      "Emulation.setUserAgentOverride",
      {
        userAgent,
        // The browser adds the decreasing quality values itself.
        acceptLanguage: languages.join(","),
        platform: isMobile ? "Linux armv81" : "Win32",
        ...hintsOf(userAgent, isMobile),
      },
      { signal },
    ),
    setLocale(tab, locale, signal),
    session.send("Emulation.setTimezoneOverride", { timezoneId: timezone }, { signal }),
    isMobile && touch(tab, signal),
    position && place(tab, position, signal),
  ]);
}

/**
 * Returns client hints that fit the agent; none for an agent other than Chrome, as only Chrome sends them.
 */
function hintsOf(userAgent: string, mobile: boolean) {
  const version = /\bChrome\/(\d+)/.exec(userAgent)?.[1];
  if (version === undefined) return {};
  const brands = [
    { brand: "Google Chrome", version },
    { brand: "Chromium", version },
    { brand: "Not)A;Brand", version: "24" },
  ];
  const userAgentMetadata: Protocol.Emulation.UserAgentMetadata = {
    brands,
    fullVersionList: brands.map(({ brand, version: major }) => ({ brand, version: `${major}.0.0.0` })),
    architecture: mobile ? "" : "x86",
    bitness: mobile ? "" : "64",
    mobile,
    ...(mobile ? PHONE : COMPUTER),
  };
  return { userAgentMetadata };
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

async function touch(tab: BrowserTab, signal: AbortSignal): Promise<void> {
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
