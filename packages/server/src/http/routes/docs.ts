import type { FastifyInstance } from "fastify";

import { addBuiltAssets, builtFolder } from "../built-pages.ts";

/** Style, fonts and scripts of the page `/docs`. */
export function addDocsAssets(app: FastifyInstance): void {
  addBuiltAssets(app, "/docs/assets", new URL("assets/", builtFolder("docs")));
}
