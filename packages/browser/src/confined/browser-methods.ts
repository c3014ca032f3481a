import type { CdpMethod } from "../cdp/cdp-session.ts";
import { webAddress } from "./addresses.ts";
import { flat } from "./checked-page-methods.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Parameters } from "./command.ts";
import type { CommandVerdict, ClientScope } from "./client-scope.ts";
import { CommandRefusal } from "./refusal.ts";

/** Checks a command to the browser. @throws Refusal */
type BrowserRule = (params: Parameters, scope: ClientScope) => CommandVerdict;

/** Methods of the browser that a client may call, within one context. Other methods are refused. */
export const browserMethods: Readonly<Partial<Record<CdpMethod, BrowserRule>>> = {
  "Browser.close": (_params, scope) => ({ answer: () => (scope.leave(), {}) }),
  "Browser.getVersion": () => ({ send: {} }),
  "Browser.getWindowForTarget": ({ targetId }, scope) => ({ send: { targetId: scope.ownTarget(targetId) } }),
  "Browser.grantPermissions": inContext,
  "Browser.resetPermissions": inContext,
  // Downloads are always refused; a listening client learns so.
  "Browser.setDownloadBehavior": ({ eventsEnabled }, scope) => ({
    send: {
      behavior: "deny",
      browserContextId: scope.contextId,
      eventsEnabled: eventsEnabled === true,
    },
  }),
  "Browser.setPermission": inContext,
  "Storage.clearCookies": inContext,
  "Storage.getCookies": inContext,
  "Storage.setCookies": inContext,
  "Target.activateTarget": ofOwnTarget,
  "Target.attachToBrowserTarget": (_params, scope) => ({ answer: () => scope.openBrowserSession() }),
  "Target.attachToTarget": attach,
  "Target.closeTarget": ofOwnTarget,
  "Target.createTarget": createTarget,
  "Target.detachFromTarget": detach,
  "Target.getBrowserContexts": () => ({ answer: () => ({ browserContextIds: [] }) }),
  "Target.getTargetInfo": ({ targetId }, scope) => ({
    send: targetId === undefined ? {} : { targetId: scope.ownTarget(targetId) },
  }),
  "Target.getTargets": ({ filter }, scope) => ({
    send: filter === undefined ? {} : { filter },
    change: ({ targetInfos }) => ({ targetInfos: ownOf(targetInfos, scope) }),
  }),
  "Target.setAutoAttach": (params) => ({ send: flat(params) }),
  "Target.setDiscoverTargets": (params) => ({ send: params }),
};

function inContext(params: Parameters, scope: ClientScope): CommandVerdict {
  return { send: { ...params, browserContextId: ownContext(params, scope) } };
}

function ownContext({ browserContextId }: Parameters, { contextId }: ClientScope): string {
  if (browserContextId === undefined || browserContextId === contextId) return contextId;
  throw new CommandRefusal("There is one browser context: leave 'browserContextId' out.");
}

function ofOwnTarget({ targetId }: Parameters, scope: ClientScope): CommandVerdict {
  return { send: { targetId: scope.ownTarget(targetId) } };
}

function attach({ targetId }: Parameters, scope: ClientScope): CommandVerdict {
  const own = scope.ownTarget(targetId);
  scope.checkRoom();
  return { send: { targetId: own, flatten: true } };
}

/** This process opened the sessions with the browser and closes them. The browser closes all others. */
function detach({ sessionId }: Parameters, scope: ClientScope): CommandVerdict {
  const own = scope.ownSession(sessionId);
  return scope.closeBrowserSession(own) ? { answer: () => ({}) } : { send: { sessionId: own } };
}

function createTarget(params: Parameters, scope: ClientScope): CommandVerdict {
  const { url, width, height, newWindow, background } = params;
  const browserContextId = ownContext(params, scope);
  // Browsers read the empty URL as the empty page.
  const address = webAddress(url === "" ? "about:blank" : url);
  scope.checkRoom();
  return { send: { url: address, width, height, newWindow, background, browserContextId } };
}

function ownOf(targetInfos: unknown, scope: ClientScope): readonly unknown[] {
  return Array.isArray(targetInfos)
    ? targetInfos.filter((info) => isJsonObject(info) && scope.isOwn(info))
    : [];
}
