/** One line per format. Request and answer shapes, prices, help and documentation are derived from this table. */
export { attributes } from "./attributes.ts";
export { audio } from "./audio.ts";
export { branding } from "./branding.ts";
export { changeTracking } from "./change-tracking.ts";
export { html } from "./html.ts";
export { images } from "./images.ts";
export { links } from "./links.ts";
export { markdown } from "./markdown.ts";
export { rawBase64 } from "./raw-base64.ts";
export { rawHtml } from "./raw-html.ts";
export { screenshot } from "./screenshot.ts";
export { video } from "./video.ts";
