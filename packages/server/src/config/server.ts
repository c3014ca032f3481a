import { z } from "zod";

import { isAddressOrBlock } from "../api/ip-address.ts";
import { originOf } from "@pergamon-dev/kit/origin";
import { choice, host, list, urlOf, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const Proxy = z.string().refine(isAddressOrBlock, {
  error: (issue) => `"${String(issue.input)}" is not an IP address or CIDR block`,
});

function isBase({ username, password, search, hash, href }: URL): boolean {
  return [username, password, search, hash].every((part) => part === "") && !/[?#]$/.test(href);
}

const Origin = z.string().transform((text, context) => {
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  context.addIssue({
    code: "custom",
    message: `"${text}" is not an origin: give scheme and host, such as https://app.test`,
  });
  return z.NEVER;
});

export const server = definePart({
  title: "Server",
  settings: z.object({
    HOST: host().default("127.0.0.1").describe("address to listen on"),
    PORT: wholeNumber({ least: 0, most: 65_535 })
      .default(3002)
      .describe("port to listen on; 0 selects a free one"),
    PUBLIC_URL: urlOf("http", "https")
      .refine((text) => isBase(new URL(text)), {
        error: "must consist of scheme, host, port and path only, because links are built by appending to it",
      })
      .optional()
      .meta({ description: "base URL of links in responses", unset: "from the Host header of the request" }),
    TRUSTED_PROXIES: list(Proxy)
      .default([])
      .describe(
        "reverse proxies whose `X-Forwarded-*` headers are trusted: comma-separated list of addresses and CIDR blocks. If a reverse proxy is not listed, the allowed addresses of a key are compared with the address of the proxy",
      ),
    CORS_ORIGINS: list(Origin)
      .default([])
      .describe(
        "origins whose pages can use the service in open mode, in addition to this machine and `PUBLIC_URL`: comma-separated list, such as `https://app.test`. In open mode the service accepts only requests for the hosts of these origins and of `PUBLIC_URL`, for localhost and for IP addresses",
      ),
    MAX_CONNECTIONS: wholeNumber({ most: 1_000_000 })
      .default(10_000)
      .describe(
        "maximum client connections; others are closed without a response. Fewer if the limit of open files, less 256, is lower",
      ),
    BODY_MEMORY_MB: wholeNumber({ most: 1_000_000 })
      .default(256)
      .describe(
        "megabytes of large bodies in memory at once. Others wait, for 20 seconds at most, then get status 503. One team has half of it",
      ),
    DRAIN_DELAY_SECONDS: wholeNumber({ least: 0, most: 600 })
      .default(0)
      .describe(
        "how long the service continues to answer after SIGTERM, while `/readyz` already says 503 and every response ends its connection: longer than a load balancer needs to notice",
      ),
    DRAIN_LIMIT_SECONDS: wholeNumber({ least: 1, most: 86_400 })
      .default(15)
      .describe(
        "how long requests under way and sessions may take to end after that; then they are cut off. Units and Compose kill after 20 seconds: raise these, too",
      ),
    V1: choice("on", "off")
      .default("on")
      .describe("whether older clients are answered, which speak version 1 of the interface"),
    SETTINGS_FROM_DASHBOARD: choice("on", "off")
      .default("on")
      .describe(
        "whether the dashboard can change some settings ([which](operations.md#settings-in-the-dashboard)); `off`: those that it has changed stay in force",
      ),
    DASHBOARD: choice("on", "off")
      .default("on")
      .describe(
        "operator dashboard at `/dashboard`; `off`: the dashboard is not loaded, nor are the operations of `/admin/api` that only it uses: settings, backups, audit log, nodes, cache and logins",
      ),
  }),
  derive: (settings) => ({
    host: settings.HOST,
    port: settings.PORT,
    /** Without a slash at its end. */
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ""),
    trustedProxies: settings.TRUSTED_PROXIES,
    /** In their canonical form. */
    corsOrigins: settings.CORS_ORIGINS,
    maxConnections: settings.MAX_CONNECTIONS,
    bodyMemoryBytes: settings.BODY_MEMORY_MB * 1024 * 1024,
    drain: { delayMs: settings.DRAIN_DELAY_SECONDS * 1000, limitMs: settings.DRAIN_LIMIT_SECONDS * 1000 },
    hasVersion1: settings.V1 === "on",
    changesSettings: settings.SETTINGS_FROM_DASHBOARD === "on",
    hasDashboard: settings.DASHBOARD === "on",
  }),
});
