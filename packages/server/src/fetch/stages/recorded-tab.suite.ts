import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";

type Judge = Parameters<BrowserTab["requests"]["add"]>[1];
type Paused = Parameters<Judge>[0];

/** A tab without a browser, which notes what is asked of it. */
export interface RecordedTab {
  readonly tab: BrowserTab;
  /** Commands to the page, in order. */
  readonly commands: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[];
  /** What the judges say about a request of the main frame, or of another one. */
  judge(request: { readonly url: string; readonly type?: string; readonly frameId?: string }): unknown[];
}

/** @param results what the page answers, by the name of a command; nothing else is answered with more than `{}` */
export function recordTab(results: Readonly<Record<string, object>> = {}): RecordedTab {
  const commands: RecordedTab["commands"] = [];
  const judges: Judge[] = [];
  const tab = {
    mainFrameId: "main",
    response: undefined,
    version: "153.0.8010.0",
    isOurs: true,
    isWhole: true,
    workers: { show: () => undefined },
    requests: { add: (_patterns: unknown, judge: Judge) => void judges.push(judge) },
    session: {
      async send(method: string, params: Readonly<Record<string, unknown>> = {}) {
        commands.push({ method, params });
        return results[method] ?? {};
      },
    },
    browser: {
      async send(method: string, params: Readonly<Record<string, unknown>> = {}) {
        commands.push({ method, params });
        return {};
      },
    },
  };
  return {
    tab: tab as unknown as BrowserTab,
    commands,
    judge: ({ url, type = "Document", frameId = "main" }) => {
      const paused = { request: { url, headers: { Accept: "*/*" } }, resourceType: type, frameId };
      return judges.map((judge) => judge(paused as unknown as Paused));
    },
  };
}
