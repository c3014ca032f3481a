import { STATUS_CODES } from "node:http";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { HttpClient } from "../../net/client.ts";
import { type NavigationEnd, type Navigation, navigate } from "../../net/navigate.ts";
import { headersByName } from "../../net/exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Capture } from "../capture.ts";
import { acceptLanguage, languagesOf } from "../locales/countries.ts";
import type { Attempt, EngineResult, Engine } from "../engine.ts";
import { isConfirmed } from "../known-page.ts";
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
        return await fetchPage(client, attempt, signal);
      } catch (failure) {
        signal.throwIfAborted();
        if (failure instanceof NetworkError) return refusalOf(failure, attempt.visit);
        throw failure;
      }
    },
  };
}

async function fetchPage(client: HttpClient, attempt: Attempt, signal: AbortSignal): Promise<EngineResult> {
  const navigation = navigationOf(attempt);
  const { known } = attempt.visit;
  // With cookies of an earlier answer, the page is no longer the known one.
  if (!known || attempt.cookies) return resultOf(attempt, await navigate(client, navigation, signal));
  const conditional = { ...navigation, headers: { ...navigation.headers, ...known.conditions } };
  const arrival = await navigate(client, conditional, signal);
  const { capture, ...result } = resultOf(attempt, arrival);
  if (capture.statusCode !== 304) return { capture, ...result };
  if (isConfirmed(known, capture)) return { capture: { ...capture, isUnchanged: true }, ...result };
  return resultOf(attempt, await navigate(client, navigation, signal));
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
