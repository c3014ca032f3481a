/** One line per kind of action. The request schema is derived from this table. */
export { click } from "./click.ts";
export { executeJavascript } from "./execute-javascript.ts";
export { pdf } from "./pdf.ts";
export { press } from "./press.ts";
export { scrape } from "./scrape.ts";
export { screenshot } from "./screenshot.ts";
export { scroll } from "./scroll.ts";
export { wait } from "./wait.ts";
export { write } from "./write.ts";
