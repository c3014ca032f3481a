import type { CdpSession } from "./cdp/cdp-session.ts";

export interface Login {
  readonly username: string;
  readonly password: string;
}

/**
 * Our proxy answers requests to this URL itself. The address is from a network reserved for documentation
 * (RFC 5737).
 */
export const LOGIN_URL = "http://192.0.2.1/pergamon-login";

/**
 * Sends the password of our proxy to the browser, which remembers it for the whole context.
 * NOTE: the session must be that of the context's first page, and nothing else may be intercepted meanwhile.
 */
export async function logInToProxy(session: CdpSession, login: Login): Promise<void> {
  const stops = [
    session.on("Fetch.requestPaused", ({ requestId }) =>
      session.post("Fetch.continueRequest", { requestId }),
    ),
    session.on("Fetch.authRequired", ({ requestId }) =>
      session.post("Fetch.continueWithAuth", {
        requestId,
        authChallengeResponse: { response: "ProvideCredentials", ...login },
      }),
    ),
  ];
  await session.send("Fetch.enable", { handleAuthRequests: true });
  // The answer has no content, so the empty page stays.
  await session.send("Page.navigate", { url: LOGIN_URL });
  await session.send("Fetch.disable");
  for (const stop of stops) stop();
}
