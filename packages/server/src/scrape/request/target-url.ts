import { isIP } from "node:net";

import { limits } from "../../api/limits.ts";
import { howToOpen } from "../../net/guard/egress-rules.ts";

/** File extensions that look like the last label of a host when someone sends a bare file name. */
const FILE_EXTENSIONS = new Set(
  "pdf html htm xhtml php asp aspx jsp jpg jpeg png gif svg webp bmp ico mp4 mp3 avi wav json xml csv txt doc docx xls xlsx ppt pptx odt ods odp rtf epub tar gz rar 7z exe dmg iso css js".split(
    " ",
  ),
);

const TOP_LEVEL_LABEL = /^(?:[a-zа-яё0-9]{2,}|xn--[a-z0-9-]+)$/iu;
const INVALID = "Invalid URL";
const WRONG_PROTOCOL = "URL uses unsupported protocol";
const WRONG_HOST = "URL must have a valid top-level domain or be an IP address";

/** A problem of a URL, in the words of contract section 1.6. */
interface UrlProblem {
  readonly problem: string;
  /** How to fix it, where that is not obvious. */
  readonly hint?: string;
}

/**
 * Applies the URL rules of contract section 1.6. Returns the URL with a scheme, otherwise as it was sent.
 * `admitsHost` admits names without a top-level domain that the operator allowed.
 */
export function targetUrl(
  text: string,
  admitsHost: (url: URL) => boolean,
): { readonly url: string } | UrlProblem {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > limits.urlLength) return { problem: INVALID };
  const url = /^[^.:]+:\/\//.test(trimmed) ? trimmed : withScheme(trimmed);
  if (!/^https?:/i.test(url)) return { problem: WRONG_PROTOCOL };
  if (!URL.canParse(url)) return { problem: INVALID };
  const parsed = new URL(url);
  if (hasDoubledScheme(url)) return { problem: INVALID };
  if (!isPlausibleHost(parsed.hostname) && !admitsHost(parsed)) return wrongHost(parsed);
  return { url };
}

/** URLs such as `mailto:a@b.test` name a scheme without slashes. Anything else starts with a host. */
function withScheme(text: string): string {
  return /^(?:mailto|javascript|data|blob|file|about|tel|view-source|chrome|ftp|jar|filesystem|ws|wss):/i.test(
    text,
  )
    ? text
    : `http://${text}`;
}

/** `http://http://x` has a scheme where the host should be. */
function hasDoubledScheme(url: string): boolean {
  return /^https?:\/\/[a-z][a-z0-9+-]*:(?:\/\/|$)/i.test(url);
}

/** A name in the local network, such as `localhost`, can be opened. A file name is a mistake. */
function wrongHost({ hostname }: URL): UrlProblem {
  return { problem: WRONG_HOST, ...(!hostname.includes(".") && { hint: howToOpen(hostname) }) };
}

function isPlausibleHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isIP(hostname.slice(1, -1)) === 6;
  if (isIP(hostname) === 4) return true;
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.at(-1) ?? "";
  return labels.length > 1 && TOP_LEVEL_LABEL.test(last) && !FILE_EXTENSIONS.has(last.toLowerCase());
}
