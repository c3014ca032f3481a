import { type Drivers, driverFor } from "@pergamon-dev/kit/drivers";
import type { HttpClient } from "../../net/client.ts";
import type { ThreatClassifier } from "./classifier.ts";

interface DriverParts {
  readonly client: HttpClient;
  readonly apiKey: string | undefined;
}

interface Driver {
  /** Whether it needs a key. */
  readonly needsKey: boolean;
  /** @throws Error when the URL does not belong to this driver. */
  readonly check: (url: string) => void;
  readonly open: (url: string, parts: DriverParts) => Promise<ThreatClassifier>;
}

const hostList: Driver = {
  needsKey: false,
  check: pathOf,
  open: async (url) => (await import("./host-list.ts")).hostListClassifier(pathOf(url)),
};

const webRisk: Driver = {
  needsKey: true,
  check(url) {
    if (!URL.canParse(url)) throw new Error("The base URL of a threat classifier is not a URL.");
  },
  async open(baseUrl, { client, apiKey }) {
    if (apiKey === undefined) throw new Error("THREATS_KEY is needed to ask a threat classifier.");
    return (await import("./web-risk.ts")).webRiskClassifier(client, { baseUrl, apiKey });
  },
};

/** One line per driver. A driver is loaded when it is chosen. */
const drivers: Drivers<Driver> = new Map<string, Driver>([
  ["file:", hostList],
  ["http:", webRisk],
  ["https:", webRisk],
]);

/**
 * Opens the classifier that a URL names: `file:` and the path of a list of hosts, or the base URL of Google
 * Web Risk.
 * @throws Error that names the known schemes, for any other.
 */
export async function openThreatClassifier(url: string, parts: DriverParts): Promise<ThreatClassifier> {
  return driverFor(drivers, url, "threat classifier").open(url, parts);
}

/** Checks a URL without opening the file or service. @throws Error that explains the valid form. */
export function assertThreatsUrl(url: string): void {
  driverFor(drivers, url, "threat classifier").check(url);
}

/** Whether the classifier of a URL needs a key. @throws as `assertThreatsUrl`. */
export function needsThreatsKey(url: string): boolean {
  return driverFor(drivers, url, "threat classifier").needsKey;
}

function pathOf(url: string): string {
  const path = url.replace(/^file:(?:\/\/)?/, "");
  if (path === "") throw new Error('A list of dangerous hosts needs a path, such as "file:./hosts.txt".');
  return path;
}
