import type { CdpSession } from "./cdp/cdp-session.ts";

/** Name and password. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** Our proxy answers this one itself. The address is of a network that documents use as an example (RFC 5737). */
export const LOGIN_URL = "http://192.0.2.1/pergamon-login";

/**
 * Tells the browser the password of our proxy: it remembers it for everything of the context, for all who ask there.
 * NOTE: the session has to be that of the context's first page, and nothing else may be intercepted meanwhile.
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
