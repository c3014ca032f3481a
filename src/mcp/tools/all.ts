/** One line per tool. Clients see them in this order. */
export { scrape } from "./scrape.ts";
export { screenshot } from "./screenshot.ts";
export { readDocument as read_document } from "./read-document.ts";
