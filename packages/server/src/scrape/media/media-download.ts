import type { HttpClient } from "../../net/client.ts";
import { headerOf } from "../../net/exchange.ts";
import { navigate } from "../../net/navigate.ts";
import type { Proxy } from "../../net/proxies.ts";
import { MediaProblem } from "./media-problem.ts";

export interface Downloaded {
  /** After redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Downloads for one scrape, which share one allowance of bytes. */
export interface MediaDownload {
  /** @throws MediaProblem when the file is refused or too large; NetworkError; the signal's reason once it is aborted. */
  get(url: string): Promise<Downloaded>;
}

export interface DownloadOptions {
  readonly client: HttpClient;
  /** Asked before anything is fetched from an address. What it throws ends the download. */
  readonly judge: ((url: string, signal: AbortSignal) => Promise<void>) | undefined;
  readonly proxy: Proxy | undefined;
  readonly maxBytes: number;
}

const DENIED: ReadonlySet<number> = new Set([401, 402, 403, 451]);

export function openMediaDownload(options: DownloadOptions, signal: AbortSignal): MediaDownload {
  const { client, judge, proxy, maxBytes } = options;
  let leftBytes = maxBytes;

  async function get(url: string): Promise<Downloaded> {
    if (!/^https?:/i.test(url))
      throw new MediaProblem("unsupported", "Media that is not on the web is not fetched.");
    await judge?.(url, signal);
    const { url: finalUrl, response } = await navigate(
      client,
      {
        url,
        headers: {},
        acceptLanguage: "en-US,en;q=0.9",
        skipTlsVerification: false,
        profile: "basic",
        maxBodyBytes: Math.max(1, leftBytes),
        ...(proxy && { proxy }),
        ...(judge && { judgeHop: judge }),
      },
      signal,
    );
    const { status, headers } = response;
    if (DENIED.has(status)) throw new MediaProblem("denied", `The media is answered with status ${status}.`);
    if (status < 200 || status > 299)
      throw new MediaProblem("unsupported", `The media is answered with status ${status}.`);
    const { body: bytes } = response;
    leftBytes -= bytes.byteLength;
    if (leftBytes < 0) throw new MediaProblem("unsupported", `The media is larger than ${maxBytes} bytes.`);
    return { url: finalUrl, contentType: headerOf(headers, "content-type") ?? "", bytes };
  }

  return { get };
}
