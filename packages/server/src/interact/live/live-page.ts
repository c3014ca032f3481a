import { createHash } from "node:crypto";

import { lazy } from "@pergamon-dev/kit/lazy";
import { liveView } from "@pergamon-dev/browser/programs/live-view";

const STYLE = `html, body { margin: 0; height: 100%; background: #1d1f21; color: #e8e6e1; font: 15px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; }
canvas { max-width: 100vw; max-height: 100vh; background: #fff; outline: none; }
canvas:focus-visible { box-shadow: 0 0 0 2px #d9904a; }
p { position: fixed; inset: auto 0 1rem; margin: 0; text-align: center; }`;

/** Only characters of host names get into a header of the response. */
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;

/** HTML of a live view. Style and script are inline, so it loads nothing. */
export function livePage(isInteractive: boolean): string {
  const label = isInteractive ? "Live view with input" : "Live view";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Live view</title><meta name="viewport" content="width=device-width">
<style>${STYLE}</style></head>
<body data-interactive="${isInteractive}">
<canvas id="view" width="1280" height="720" tabindex="${isInteractive ? 0 : -1}" role="img" aria-label="${label}"></canvas>
<p id="state" role="status">Connecting…</p>
<script>${liveView}</script>
</body>
</html>`;
}

/**
 * Content security policy: the page may run its script and talk to this service. Any site may embed it. The
 * sandbox gives it an opaque origin, so that it cannot use the service with its visitor's rights.
 * @param host name by which the client calls the service
 */
export function livePolicy(host: string | undefined): string {
  const own = host !== undefined && HOST.test(host) ? ` ws://${host} wss://${host}` : "";
  const { script, style } = hashes();
  return `default-src 'none'; script-src '${script}'; style-src '${style}'; connect-src 'self'${own}; base-uri 'none'; form-action 'none'; frame-ancestors *; sandbox allow-scripts`;
}

const hashes = lazy(() => ({ script: hashOf(liveView), style: hashOf(STYLE) }));

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
