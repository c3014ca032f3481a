import { agentOf } from "../tab/visitor.ts";

/**
 * WebRTC bypasses proxies, so it may not connect to anything. Headless shells and full browsers name the flag
 * differently.
 */
export const WEBRTC_FLAGS = [
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
] as const;

/**
 * Every request of every context goes through a proxy of ours. These flags turn off everything that would
 * bypass it: QUIC, direct WebRTC, and the browser's own background requests.
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
  // Without this flag, pages detect automation, and many show less.
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
  // Height of the frame of a window above the page, as in `setViewport`.
  "--window-size=1920,1200",
  // What the system names otherwise, such as en-US@posix.
  "--lang=en-US",
  "--accept-lang=en-US,en",
  // A mouse, which machines without a screen do not have. Touch emulation replaces it.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

const DISABLED_FEATURES =
  "Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,InterestFeedContentSuggestions,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Prerender2,SpareRendererForSitePerProcess";

interface PageRules {
  /** Version of the program, such as `153.0.8010.0`. */
  readonly version: string;
  readonly isPhone: boolean;
  readonly isolatesSites: boolean;
  readonly opensWindows: boolean;
}

/**
 * Returns all flags of a browser except those for a single process.
 * @param opensWindows whether pages may open others; a scrape has only one page
 * @param isolatesSites whether frames of other sites run in separate processes. Without a login, a page could
 * read only its own data there, as each scrape has its own context. A page with a login has more to lose.
 */
export function launchFlags({ version, isPhone, isolatesSites, opensWindows }: PageRules): readonly string[] {
  const isolation = isolatesSites
    ? ["--site-per-process", `--disable-features=${DISABLED_FEATURES}`]
    : [
        "--disable-site-isolation-trials",
        `--disable-features=IsolateOrigins,site-per-process,${DISABLED_FEATURES}`,
      ];
  // No override reaches some requests, such as those for scripts of service workers.
  return [
    `--user-agent=${agentOf(version, isPhone)}`,
    ...COMMON_FLAGS,
    ...isolation,
    ...(opensWindows ? [] : ["--block-new-web-contents"]),
  ];
}
