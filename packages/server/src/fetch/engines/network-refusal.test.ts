import { describe, expect, test } from "vitest";

import { parseEgressRules } from "../../net/guard/egress-rules.ts";
import { NetworkError, type NetworkErrorKind } from "@pergamon-dev/kit/network-error";
import { visitOf } from "../visit.suite.ts";
import { refusalOf, refusalOfCode } from "./network-refusal.ts";

describe("section 4.2: what the caller is told", () => {
  test.each<[NetworkErrorKind, string, string]>([
    ["reset", "SCRAPE_SITE_ERROR", "ERR_CONNECTION_RESET"],
    ["empty-response", "SCRAPE_SITE_ERROR", "ERR_EMPTY_RESPONSE"],
    ["timeout", "SCRAPE_SITE_ERROR", "ERR_TIMED_OUT"],
    ["too-many-redirects", "SCRAPE_SITE_ERROR", "ERR_TOO_MANY_REDIRECTS"],
    ["protocol", "SCRAPE_SITE_ERROR", "ERR_INVALID_RESPONSE"],
    ["proxy", "SCRAPE_SITE_ERROR", "ERR_PROXY_CONNECTION_FAILED"],
    ["endless", "SCRAPE_UNSUPPORTED_FILE_ERROR", "never ends"],
    ["dns", "SCRAPE_DNS_RESOLUTION_ERROR", 'hostname "site.test"'],
    ["tls", "SCRAPE_SSL_ERROR", "SSL/TLS certificate error"],
    ["too-large", "SCRAPE_UNSUPPORTED_FILE_ERROR", "exceeds size limit of 50 MB"],
    ["blocked", "SCRAPE_ALL_ENGINES_FAILED", "security rules"],
    ["refused", "SCRAPE_ALL_ENGINES_FAILED", "refused"],
    ["invalid-url", "SCRAPE_ALL_ENGINES_FAILED", "refused"],
  ])("of a failure of kind %s", (kind, code, words) => {
    const failure = new NetworkError(kind, "Particulars of the network.");
    const refusal = refusalOf(failure, visitOf());
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(words), cause: failure });
    expect(refusal.message).not.toContain("Particulars");
  });

  test("names the host of the hop that failed", () => {
    const failure = new NetworkError("dns", "No address.", { host: "elsewhere.test" });
    expect(refusalOf(failure, visitOf()).message).toContain('"elsewhere.test"');
  });

  test("F6 names the setting that opens a private target", () => {
    const failure = new NetworkError("blocked", "Connection violated security rules.", { host: "[::1]" });
    expect(refusalOf(failure, visitOf()).message).toMatch(
      /^Connection violated security rules\. .*private target .* EGRESS_ALLOW=\[::1\]\.$/,
    );
    expect(() => parseEgressRules(["[::1]"])).not.toThrow();
  });

  test("advises what has not been tried yet", () => {
    const failure = new NetworkError("tls", "Bad certificate.");
    const strict = refusalOf(failure, visitOf({ skipTlsVerification: false }));
    expect(strict.message).toContain("Set skipTlsVerification to true");
    const lenient = refusalOf(failure, visitOf({ skipTlsVerification: true }));
    expect(lenient.message).toContain("other than the certificate");
  });

  test.each([
    ["ERR_CERT_AUTHORITY_INVALID", "SCRAPE_SSL_ERROR"],
    ["ERR_SSL_PROTOCOL_ERROR", "SCRAPE_SSL_ERROR"],
    ["ERR_BAD_SSL_CLIENT_AUTH_CERT", "SCRAPE_SSL_ERROR"],
    ["ERR_NAME_NOT_RESOLVED", "SCRAPE_SITE_ERROR"],
    ["ERR_ABORTED", "SCRAPE_SITE_ERROR"],
  ])("of Chromium's %s", (browserCode, code) => {
    expect(refusalOfCode(browserCode, visitOf()).code).toBe(code);
  });
});
