import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { NotFoundError } from "../api/errors.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";

/** Pages of the service run, load and request only content of this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every response with built pages. */
export const BUILT_PAGE_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

const YEAR_SECONDS = 31_536_000;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
};

/** A built file, with its compressed form from the build. */
interface Asset {
  readonly type: string;
  readonly file: URL;
  readonly hasBrotli: boolean;
}

/** Folder of built pages: next to the bundle, and at the same path for the sources. */
export function builtFolder(name: "web" | "docs"): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? `../../../../dist/${name}/` : `./${name}/`, import.meta.url);
}

/**
 * Serves files with content-hashed names at `path/:name`. They hold no data, so they are public.
 * @param folder with a slash at its end: files, and `*.br` next to them.
 */
export function addBuiltAssets(app: FastifyInstance, path: string, folder: URL): void {
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined;
  app.get<{ Params: { name: string } }>(`${path}/:name`, async (request, reply) => {
    assets ??= listAssets(folder).catch((failure: unknown) => {
      assets = undefined;
      return notBuilt(failure);
    });
    const asset = (await assets).get(request.params.name);
    if (!asset) throw new NotFoundError("Not Found");
    return sendAsset(asset, request, reply.headers(BUILT_PAGE_HEADERS));
  });
}

/** @throws NotFoundError that explains how to build the missing pages. */
export function notBuilt(cause: unknown): never {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  if (isMissing) throw new NotFoundError("The pages are not built. Run npm run build, then reload.");
  throw cause;
}

async function sendAsset(
  asset: Asset,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPacked = asset.hasBrotli && acceptsBrotli(headers["accept-encoding"]);
  if (isPacked) reply.header("content-encoding", "br");
  reply
    .header("vary", "accept-encoding")
    .header("cache-control", `public, max-age=${YEAR_SECONDS}, immutable`)
    .type(asset.type);
  return reply.send(await readFile(isPacked ? new URL(`${asset.file.href}.br`) : asset.file));
}

/** Lists the folder. No other file is ever opened. */
async function listAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const names = new Set(await readdir(folder));
  return new Map(
    [...names].flatMap((name) => {
      const type = ownProperty(CONTENT_TYPES, extname(name));
      if (type === undefined) return [];
      return [
        [name, { type, file: new URL(encodeURIComponent(name), folder), hasBrotli: names.has(`${name}.br`) }],
      ];
    }),
  );
}

function acceptsBrotli(accepted: string | readonly string[] | undefined): boolean {
  return /(?:^|,)\s*br\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i.test(String(accepted ?? ""));
}
