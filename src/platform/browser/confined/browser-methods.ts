import type { CdpMethod } from "../cdp/cdp-session.ts";
import { webAddress } from "./addresses.ts";
import { flat } from "./checked-page-methods.ts";
import { isRecord, type Parameters } from "./command.ts";
import type { Order, Reach } from "./reach.ts";
import { Refusal } from "./refusal.ts";

/** Looks at a command to the browser. @throws Refusal */
export type BrowserRule = (params: Parameters, reach: Reach) => Order;

/** What a client may ask of the browser: one context is all of it. Whatever is not listed is refused. */
export const browserMethods: Readonly<Partial<Record<CdpMethod, BrowserRule>>> = {
  "Browser.close": (_params, reach) => ({ answer: () => (reach.leave(), {}) }),
  "Browser.getVersion": () => ({ send: {} }),
  "Browser.getWindowForTarget": ({ targetId }, reach) => ({ send: { targetId: reach.ownTarget(targetId) } }),
  "Browser.grantPermissions": inContext,
  "Browser.resetPermissions": inContext,
  // Nothing is ever downloaded; who listens learns that it was refused.
  "Browser.setDownloadBehavior": ({ eventsEnabled }, reach) => ({
    send: {
      behavior: "deny",
      browserContextId: reach.contextId,
      eventsEnabled: eventsEnabled === true,
    },
  }),
  "Browser.setPermission": inContext,
  "Storage.clearCookies": inContext,
  "Storage.getCookies": inContext,
  "Storage.setCookies": inContext,
  "Target.activateTarget": ofOwnTarget,
  "Target.attachToBrowserTarget": (_params, reach) => ({ answer: () => reach.openBrowserSession() }),
  "Target.attachToTarget": attach,
  "Target.closeTarget": ofOwnTarget,
  "Target.createTarget": createTarget,
  "Target.detachFromTarget": detach,
  "Target.getBrowserContexts": () => ({ answer: () => ({ browserContextIds: [] }) }),
  "Target.getTargetInfo": ({ targetId }, reach) => ({
    send: targetId === undefined ? {} : { targetId: reach.ownTarget(targetId) },
  }),
  "Target.getTargets": ({ filter }, reach) => ({
    send: filter === undefined ? {} : { filter },
    change: ({ targetInfos }) => ({ targetInfos: ownOf(targetInfos, reach) }),
  }),
  "Target.setAutoAttach": (params) => ({ send: flat(params) }),
  "Target.setDiscoverTargets": (params) => ({ send: params }),
};

function inContext(params: Parameters, reach: Reach): Order {
  return { send: { ...params, browserContextId: ownContext(params, reach) } };
}

function ownContext({ browserContextId }: Parameters, { contextId }: Reach): string {
  if (browserContextId === undefined || browserContextId === contextId) return contextId;
  throw new Refusal("There is one browser context: leave 'browserContextId' out.");
}

function ofOwnTarget({ targetId }: Parameters, reach: Reach): Order {
  return { send: { targetId: reach.ownTarget(targetId) } };
}

function attach({ targetId }: Parameters, reach: Reach): Order {
  const own = reach.ownTarget(targetId);
  reach.checkRoom();
  return { send: { targetId: own, flatten: true } };
}

/** Sessions with the browser were opened here, others by the browser. */
function detach({ sessionId }: Parameters, reach: Reach): Order {
  const own = reach.ownSession(sessionId);
  return reach.closeBrowserSession(own) ? { answer: () => ({}) } : { send: { sessionId: own } };
}

function createTarget(params: Parameters, reach: Reach): Order {
  const { url, width, height, newWindow, background } = params;
  const browserContextId = ownContext(params, reach);
  // Browsers take the empty address for the empty page.
  const address = webAddress(url === "" ? "about:blank" : url);
  reach.checkRoom();
  return { send: { url: address, width, height, newWindow, background, browserContextId } };
}

function ownOf(targetInfos: unknown, reach: Reach): readonly unknown[] {
  return Array.isArray(targetInfos) ? targetInfos.filter((info) => isRecord(info) && reach.isOwn(info)) : [];
}
