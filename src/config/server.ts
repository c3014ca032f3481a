import { z } from "zod";

import { isAddressOrBlock } from "../accounts/restrictions.ts";
import { originOf } from "../kit/origin.ts";
import { choice, host, list, urlOf, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const Proxy = z
  .string()
  .refine(isAddressOrBlock, { error: (issue) => `"${String(issue.input)}" is no IP address or CIDR block` });

function isBase({ username, password, search, hash, href }: URL): boolean {
  return [username, password, search, hash].every((part) => part === "") && !/[?#]$/.test(href);
}

const Origin = z.string().transform((text, context) => {
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  context.addIssue({
    code: "custom",
    message: `"${text}" is no origin: name scheme and host, such as https://app.test`,
  });
  return z.NEVER;
});

/** Where the service listens, and how clients reach it. */
export const server = definePart({
  title: "Server",
  settings: z.object({
    HOST: host().default("127.0.0.1").describe("address to listen on"),
    PORT: wholeNumber({ least: 0, most: 65_535 })
      .default(3002)
      .describe("port to listen on; 0 takes a free one"),
    PUBLIC_URL: urlOf("http", "https")
      .refine((text) => isBase(new URL(text)), {
        error: "must have nothing but scheme, host, port and path: links are made by putting more behind it",
      })
      .optional()
      .meta({ description: "base of links in answers", unset: "from the request's Host" }),
    TRUSTED_PROXIES: list(Proxy)
      .default([])
      .describe(
        "reverse proxies whose `X-Forwarded-*` headers are believed: comma list of addresses and CIDR blocks. Without it a key's allowed addresses are compared with that of the proxy",
      ),
    CORS_ORIGINS: list(Origin)
      .default([])
      .describe(
        "origins whose pages may use the service in open mode, beside those of this machine and of `PUBLIC_URL`: comma list of `https://app.test`. Their hosts, like that of `PUBLIC_URL`, are names that the service may be called by; in open mode others are refused",
      ),
    MAX_CONNECTIONS: wholeNumber({ most: 1_000_000 })
      .default(10_000)
      .describe("clients' connections at once; one more is closed without an answer"),
    V1: choice("on", "off")
      .default("on")
      .describe("whether older clients are answered, which speak version 1 of the interface"),
    DASHBOARD: choice("on", "off")
      .default("on")
      .describe(
        "the operator's pages at `/dashboard`; off: neither they nor what only they ask for is loaded",
      ),
  }),
  derive: (settings) => ({
    host: settings.HOST,
    port: settings.PORT,
    /** Without a slash at its end. */
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ""),
    trustedProxies: settings.TRUSTED_PROXIES,
    /** In their usual form. */
    corsOrigins: settings.CORS_ORIGINS,
    maxConnections: settings.MAX_CONNECTIONS,
    hasVersion1: settings.V1 === "on",
    hasDashboard: settings.DASHBOARD === "on",
  }),
});
