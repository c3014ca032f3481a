import { effect, signal } from "@preact/signals";

import type { SessionAnswer } from "@pergamon-dev/server/operator/logins";
import { ask, loggedOut, messageOf, ServiceProblem } from "./ask.ts";

type Session = SessionAnswer["data"];

/** Who is logged in: undefined while that is not known, null if logged out. */
export const session = signal<Session | null | undefined>(undefined);
/** Whether a login has ended that the page was opened with: what is being typed there is kept. */
export const isAway = signal(false);
/** Why it is not known who is logged in. It is tried again. */
export const startProblem = signal<string | undefined>(undefined);
/** Why the last login did not succeed. */
export const loginProblem = signal<string | undefined>(undefined);

const RETRY_MS = 3000;
const LOGIN_LINK = /^#login=(.+)$/;

/** Finds out who is logged in. A login link in the address is used, once, and taken out of the address. */
export async function startSession(): Promise<void> {
  effect(() => {
    if (loggedOut.value === 0) return;
    if (session.peek()) isAway.value = true;
    session.value = null;
  });
  const token = LOGIN_LINK.exec(location.hash)?.[1];
  if (token !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    await logIn({ token });
    return;
  }
  while (session.value === undefined) await findSession();
}

/** Only 401 means that nobody is logged in. */
async function findSession(): Promise<void> {
  try {
    session.value = (await ask("GET /admin/session")).data;
  } catch (problem) {
    if (problem instanceof ServiceProblem && problem.status === 401) session.value = null;
    else {
      startProblem.value = messageOf(problem);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Logs in with the operator's key or the token of a link; `loginProblem` tells why not. */
export async function logIn(proof: { readonly key: string } | { readonly token: string }): Promise<void> {
  loginProblem.value = undefined;
  try {
    session.value = (await ask("POST /admin/session", { body: proof })).data;
    isAway.value = false;
  } catch (problem) {
    session.value = null;
    loginProblem.value = refusalOf(problem, proof);
  }
}

export async function logOut(): Promise<void> {
  await ask("DELETE /admin/session").catch(() => undefined);
  isAway.value = false;
  session.value = null;
}

function refusalOf(problem: unknown, proof: Parameters<typeof logIn>[0]): string {
  if (!(problem instanceof ServiceProblem)) return messageOf(problem);
  if (problem.status === 429) return "Too many attempts from this address. Wait a minute, then try again.";
  if (problem.status !== 401) return problem.message;
  if ("token" in proof)
    return "This link has already been used, or is older than 10 minutes. Run npx pergamon dashboard for a new link, or enter the operator key.";
  if (proof.key.startsWith("fc-"))
    return "This key is unknown, revoked or restricted. A key of a team without restrictions opens the team's page.";
  return `Wrong operator key. The operator key is the value of ADMIN_KEY, or the one printed at the first start. To replace a lost one, run npx pergamon admin-key.`;
}
