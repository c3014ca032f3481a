import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { BrowserStage } from "./stage.ts";

/** Headers of the transfer: the body that is handed over is decoded already. */
const OF_TRANSPORT = /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

/** Lets the browser continue from what plain HTTP has fetched: the document is not fetched again. */
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

/** Whether a header still holds where the body is handed on. */
export function isOfContent(name: string): boolean {
  return !OF_TRANSPORT.test(name);
}

/** A cookie that the browser does not take is left out, as it would have been. */
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
