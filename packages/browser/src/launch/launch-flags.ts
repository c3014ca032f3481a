/** WebRTC knows no proxies, so it may not connect to anything. Headless shells and full browsers call that differently. */
export const WEBRTC_FLAGS = [
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
] as const;

/**
 * Every request of every context goes through a proxy of ours; what would go past it is switched off: QUIC,
 * direct WebRTC, and the browser's own errands.
 */
const COMMON_FLAGS: readonly string[] = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--disable-default-apps",
  "--disable-quic",
  ...WEBRTC_FLAGS,
  // Else pages learn that a program visits them, and many show it less.
  "--disable-blink-features=AutomationControlled",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-domain-reliability",
  "--disable-client-side-phishing-detection",
  "--disable-dev-shm-usage",
  "--disable-prompt-on-repost",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-search-engine-choice-screen",
  "--no-pings",
  "--mute-audio",
  "--hide-scrollbars",
  "--password-store=basic",
  "--use-mock-keychain",
  "--window-size=1920,1080",
];

const DISABLED_FEATURES =
  "Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,InterestFeedContentSuggestions,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Prerender2,SpareRendererForSitePerProcess";

interface PageRules {
  readonly isolatesSites: boolean;
  readonly opensWindows: boolean;
}

/**
 * All flags of a browser, but those of this very process.
 * @param opensWindows whether pages may open others: a scrape is of one page
 * @param isolatesSites whether frames of other sites have processes of their own. Without a login, a page could
 * read only its own data there, as each scrape has its own context; a page with a login has something to lose.
 */
export function launchFlags({ isolatesSites, opensWindows }: PageRules): readonly string[] {
  const isolation = isolatesSites
    ? ["--site-per-process", `--disable-features=${DISABLED_FEATURES}`]
    : [
        "--disable-site-isolation-trials",
        `--disable-features=IsolateOrigins,site-per-process,${DISABLED_FEATURES}`,
      ];
  return [...COMMON_FLAGS, ...isolation, ...(opensWindows ? [] : ["--block-new-web-contents"])];
}
