import { z } from "zod";

import { isAddressOrBlock } from "../accounts/restrictions.ts";
import { host, list, urlOf, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const Proxy = z
  .string()
  .refine(isAddressOrBlock, { error: (issue) => `"${String(issue.input)}" is no IP address or CIDR block` });

/** Where the service listens, and how clients reach it. */
export const server = definePart({
  title: "Server",
  settings: z.object({
    HOST: host().default("127.0.0.1").describe("address to listen on"),
    PORT: wholeNumber({ least: 0, most: 65_535 })
      .default(3002)
      .describe("port to listen on; 0 takes a free one"),
    PUBLIC_URL: urlOf("http", "https")
      .optional()
      .meta({ description: "base of links in answers", unset: "from the request's Host" }),
    TRUSTED_PROXIES: list(Proxy)
      .default([])
      .describe(
        "reverse proxies whose `X-Forwarded-*` headers are believed: comma list of addresses and CIDR blocks. Without it a key's allowed addresses are compared with that of the proxy",
      ),
    MAX_CONNECTIONS: wholeNumber()
      .default(10_000)
      .describe("clients' connections at once; one more is closed without an answer"),
  }),
  derive: (settings) => ({
    host: settings.HOST,
    port: settings.PORT,
    /** Without a slash at its end. */
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ""),
    trustedProxies: settings.TRUSTED_PROXIES,
    maxConnections: settings.MAX_CONNECTIONS,
  }),
});
