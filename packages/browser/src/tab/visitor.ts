import type { Protocol } from "devtools-protocol";

/** Agents that browsers name in their requests, with the system as Chrome names it there: versions of systems are frozen. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "Macintosh; Intel Mac OS X 10_15_7",
  win32: "Windows NT 10.0; Win64; x64",
};
const PHONE = { platform: "Android", platformVersion: "14.0.0", model: "Pixel 8" };

/**
 * Agent of a Chromium of this version on this machine, or on a phone. It is what the program says of itself, without
 * the word "Headless", which many sites refuse.
 */
export function agentOf(version: string, isPhone: boolean): string {
  const system = isPhone ? "Linux; Android 10; K" : (SYSTEMS[process.platform] ?? "X11; Linux x86_64");
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorOf(version)}.0.0.0 ${isPhone ? "Mobile " : ""}Safari/537.36`;
}

/**
 * Client hints that fit the agent; none for an agent other than Chrome, as only Chrome sends them.
 * @param version of the browser that runs. An agent that names another one is the caller's.
 */
export function hintsOf(
  userAgent: string,
  version: string,
): Pick<Protocol.Emulation.SetUserAgentOverrideRequest, "userAgentMetadata"> {
  const named = /\bChrome\/([\d.]+)/.exec(userAgent)?.[1];
  if (named === undefined) return {};
  const fullVersion = majorOf(named) === majorOf(version) ? version : named;
  const isPhone = userAgent.includes("Android");
  const userAgentMetadata = {
    brands: brandsOf(fullVersion, majorOf),
    fullVersionList: brandsOf(fullVersion, (one) => (one === fullVersion ? one : `${one}.0.0.0`)),
    fullVersion,
    formFactors: [isPhone ? "Mobile" : "Desktop"],
    mobile: isPhone,
    architecture: isPhone ? "" : process.arch === "arm64" ? "arm" : "x86",
    bitness: isPhone ? "" : "64",
    model: "",
    ...(isPhone ? PHONE : systemOf(userAgent)),
  };
  return { userAgentMetadata };
}

/** Chrome keeps the version of Linux to itself. */
function systemOf(
  userAgent: string,
): Pick<Protocol.Emulation.UserAgentMetadata, "platform" | "platformVersion"> {
  if (userAgent.includes("Windows NT")) return { platform: "Windows", platformVersion: "15.0.0" };
  if (userAgent.includes("Macintosh")) return { platform: "macOS", platformVersion: "15.0.0" };
  return { platform: "Linux", platformVersion: "" };
}

const SIGNS = [" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"];
const INVENTED_VERSIONS = ["8", "99", "24"];
const ORDERS = ["012", "021", "102", "120", "201", "210"];

/**
 * Brands in the order of this version, with its invented one. Source: components/embedder_support/user_agent_utils.cc
 * of Chromium.
 */
function brandsOf(fullVersion: string, shown: (version: string) => string) {
  const seed = Number(majorOf(fullVersion));
  const pick = (list: readonly string[], at = seed) => list[at % list.length] ?? "";
  const brands = [
    { brand: `Not${pick(SIGNS)}A${pick(SIGNS, seed + 1)}Brand`, version: shown(pick(INVENTED_VERSIONS)) },
    { brand: "Chromium", version: shown(fullVersion) },
    { brand: "Google Chrome", version: shown(fullVersion) },
  ];
  const places = pick(ORDERS);
  return brands
    .map((brand, index) => ({ brand, place: Number(places[index]) }))
    .sort((one, other) => one.place - other.place)
    .map(({ brand }) => brand);
}

function majorOf(version: string): string {
  return version.split(".", 1)[0] ?? "";
}
