import { expect, test } from "vitest";

import type { ErrorCode } from "../../api/error-codes.ts";
import { NetworkError, type NetworkErrorKind } from "@pergamon-dev/kit/network-error";
import type { ScrapeRecord } from "../scrape-rows.ts";
import { refusalOf, refusalOfCode } from "../../fetch/engines/network-refusal.ts";
import type { Visit } from "../../fetch/visit.ts";
import { explainRequest } from "./explain-request.ts";

const visit = { url: "https://shop.test/", skipTlsVerification: false } as Visit;

function remedyFor({ code, message }: { readonly code: ErrorCode; readonly message: string }) {
  const record = { status: "failed", errorCode: code } as ScrapeRecord;
  return explainRequest(record, message).remedy ?? "";
}

/** Why the network failed → what only its remedy says. */
const CAUSES: Readonly<Partial<Record<NetworkErrorKind, RegExp>>> = {
  dns: /spelling of the host name/,
  blocked: /private target is yours/,
  tls: /skipTlsVerification/,
  refused: /Nothing accepts connections/,
  reset: /closed the connection without an answer/,
  timeout: /doctor --reach/,
  "too-large": /too large/,
  "too-many-redirects": /redirects in a circle/,
  protocol: /breaks the HTTP protocol/,
  proxy: /Your own proxy did not connect/,
};

test.each(Object.entries(CAUSES))("a failure of the kind %s has its own remedy", (kind, words) => {
  const failure = new NetworkError(kind as NetworkErrorKind, "It failed.", { host: "shop.test" });
  const remedy = remedyFor(refusalOf(failure, visit));
  expect(remedy).toMatch(words);
  const others = Object.entries(CAUSES).filter(([other]) => other !== kind);
  expect(others.filter(([, of]) => of.test(remedy))).toEqual([]);
});

test.each([
  ["ERR_TUNNEL_CONNECTION_FAILED", /Your own proxy/],
  ["ERR_EMPTY_RESPONSE", /closed the connection/],
  ["ERR_HTTP2_PROTOCOL_ERROR", /Open the page in a browser/],
])("what Chromium calls %s has its remedy", (code, words) => {
  expect(remedyFor(refusalOfCode(code, visit))).toMatch(words);
});

test("a TLS failure that no setting mends does not suggest one", () => {
  const refusal = refusalOf(new NetworkError("tls", "It failed."), { ...visit, skipTlsVerification: true });
  expect(remedyFor(refusal)).not.toContain("skipTlsVerification");
});

test("a timeout while the browser was starting is worth another try at once", () => {
  const message = "The scrape operation timed out while the browser was starting. Try again in a moment.";
  expect(remedyFor({ code: "SCRAPE_TIMEOUT", message })).toMatch(/Replay now/);
});
