import { type Drivers, driverFor } from "../../kit/drivers.ts";
import type { HttpClient } from "../net/client.ts";
import type { ThreatClassifier } from "./classifier.ts";

/** What a driver may use. */
interface DriverParts {
  readonly client: HttpClient;
  readonly apiKey: string | undefined;
}

type OpenClassifier = (url: string, parts: DriverParts) => Promise<ThreatClassifier>;

/** One line per driver. A driver is loaded when it is chosen. */
const classifierDrivers: Drivers<OpenClassifier> = new Map<string, OpenClassifier>([
  [
    "file:",
    async (url) => (await import("./host-list.ts")).hostListClassifier(url.replace(/^file:(?:\/\/)?/, "")),
  ],
  ["http:", openWebRisk],
  ["https:", openWebRisk],
]);

async function openWebRisk(baseUrl: string, { client, apiKey }: DriverParts): Promise<ThreatClassifier> {
  if (apiKey === undefined) throw new Error("THREATS_KEY is needed to ask a threat classifier.");
  return (await import("./web-risk.ts")).webRiskClassifier(client, { baseUrl, apiKey });
}

/**
 * Opens the classifier a URL names: `file:` and the path of a list of hosts, or the base URL of Google Web Risk.
 * @throws Error that names the known schemes, for any other.
 */
export async function openThreatClassifier(url: string, parts: DriverParts): Promise<ThreatClassifier> {
  return driverFor(classifierDrivers, url, "threat classifier")(url, parts);
}
