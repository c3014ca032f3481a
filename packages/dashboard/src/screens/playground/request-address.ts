import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { body, setBody } from "./request.ts";
import type { RequestBody } from "../../client/post.ts";

/** Before the request in the address: behind the #, which no browser sends anywhere. */
const MARK = "#request=";
/** How long typing rests before the address follows. */
const REST_MS = 300;
/** A longer request makes an address that cannot be passed on. */
const MAX_CHARACTERS = 20_000;

/** The request that the address names; undefined when it names none, or something else. */
export function requestInAddress(): RequestBody | undefined {
  if (!location.hash.startsWith(MARK)) return undefined;
  try {
    const named: unknown = JSON.parse(decodeURIComponent(location.hash.slice(MARK.length)));
    const isBody = typeof named === "object" && named !== null && !Array.isArray(named);
    return isBody ? (named as RequestBody) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Takes the request from the address, and keeps it there while it is changed: it outlives a reload, and can be passed on.
 * Headers are left out: they may be secrets.
 */
export function useRequestInAddress(): void {
  useEffect(() => {
    const named = requestInAddress();
    if (named) setBody(named);
    const first = JSON.stringify(body.peek());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      const { headers: _headers, ...told } = body.value;
      clearTimeout(timer);
      if (JSON.stringify(body.value) === first && !named) return;
      timer = setTimeout(() => write(told), REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}

function write(told: RequestBody): void {
  const text = JSON.stringify(told);
  const hash = text.length > MAX_CHARACTERS ? "" : MARK + encodeURIComponent(text);
  history.replaceState(history.state, "", location.pathname + location.search + hash);
}
