import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { BrowserStage } from "./stage.ts";

/** Headers of the transfer, which do not apply to the decoded body. */
const OF_TRANSPORT = /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

/** Lets the browser continue from the document that plain HTTP has fetched, without fetching it again. */
export const handOver: BrowserStage = {
  async prepare(tab, { handOver: fetched }) {
    if (!fetched) return;
    const headers = fetched.headers
      .filter(([name]) => isOfContent(name))
      .map(([name, value]) => ({ name, value }));
    tab.serve({ ...fetched, headers });
    await Promise.all(fetched.cookies.map((cookie) => setCookie(tab, cookie)));
  },
};

/** Whether a header still applies to the decoded body. */
export function isOfContent(name: string): boolean {
  return !OF_TRANSPORT.test(name);
}

/** Skips a cookie that the browser rejects, as in a normal visit. */
async function setCookie(tab: BrowserTab, cookie: { readonly url: string; readonly header: string }) {
  const { parse } = await import("tough-cookie");
  const parsed = parse(cookie.header, { loose: true });
  if (!parsed) return;
  const { key: name, value, path, domain, secure, httpOnly } = parsed;
  const expiry = parsed.expiryTime();
  await tab.session
    .send("Network.setCookie", {
      url: cookie.url,
      name,
      value,
      secure,
      httpOnly,
      ...(path !== null && { path }),
      ...(domain !== null && { domain }),
      ...(expiry !== undefined && Number.isFinite(expiry) && { expires: expiry / 1000 }),
    })
    .catch(() => undefined);
}
