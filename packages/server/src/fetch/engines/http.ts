import { STATUS_CODES } from "node:http";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { HttpClient } from "../../net/client.ts";
import { type NavigationEnd, type Navigation, navigate } from "../../net/navigate.ts";
import { headersByName } from "../../net/exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Capture } from "../capture.ts";
import { acceptLanguage, languagesOf } from "../locales/countries.ts";
import type { Attempt, EngineResult, Engine } from "../engine.ts";
import { refusalOf } from "./network-refusal.ts";

/** Gets pages by plain HTTP, without running their scripts. */
export function httpEngine(client: HttpClient): Engine {
  return {
    name: "http",
    offers: [],
    cost: 1,
    isAvailable: async () => true,
    async visit(attempt, signal) {
      const { url, hops } = attempt.visit;
      if (hops && url !== hops.startUrl) await hops.judge(url, signal);
      try {
        return resultOf(attempt, await navigate(client, navigationOf(attempt), signal));
      } catch (failure) {
        signal.throwIfAborted();
        if (failure instanceof NetworkError) return refusalOf(failure, attempt.visit);
        throw failure;
      }
    },
  };
}

function navigationOf({ visit, proxy, cookies }: Attempt): Navigation {
  return {
    url: visit.url,
    headers: visit.headers,
    acceptLanguage: acceptLanguage(languagesOf(visit.country, visit.languages)),
    skipTlsVerification: visit.skipTlsVerification,
    profile: visit.browser.mobile ? "mobile" : "basic",
    ...(proxy && { proxy }),
    ...(cookies && { cookies }),
    ...(visit.hops && { judgeHop: visit.hops.judge }),
    maxBodyBytes: visit.maxBodyBytes,
  };
}

function resultOf(attempt: Attempt, arrival: NavigationEnd): EngineResult {
  const { url, response, cookies } = arrival;
  const own = response.headers.filter(([name]) => name === "set-cookie");
  const ofAnswer = own.map(([, header]) => ({ url, header }));
  return { capture: captureOf(attempt, arrival), cookies: [...cookies, ...ofAnswer] };
}

function captureOf({ visit, tier }: Attempt, { url, response, usesTls }: NavigationEnd): Capture {
  const headers = headersByName(response.headers);
  return {
    requestedUrl: withoutCredentials(visit.url),
    url,
    statusCode: response.status,
    reason: STATUS_CODES[response.status] ?? response.reason,
    headers,
    contentType: headers["content-type"],
    body: response.body,
    engine: "http",
    proxyUsed: tier === "enhanced" ? "stealth" : "basic",
    ...(visit.proxy === "enhanced" && { lacksWholeBrowser: true }),
    hasUnverifiedTls: visit.skipTlsVerification && usesTls,
    capturedAtMs: Date.now(),
  };
}
