import { z } from "zod";

import { choice, headerKey, list, urlOf, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const MIN_SECRET_LENGTH = 16;

/** Roles of a node, and what a node with one does. */
export const nodeRoles = {
  api: "answers clients and operators: their scrapes are fetched, read and written here",
  work: "works on batches, crawls, extractions and agents, checks monitors, sends webhooks, deletes what is too old",
} as const;
export type Role = keyof typeof nodeRoles;
const ROLES = Object.keys(nodeRoles) as readonly Role[];

const Roles = list(choice("api", "work")).refine(
  (roles) => roles.length > 0 && new Set(roles).size === roles.length,
  { error: `must be one or several of ${ROLES.join(", ")}, each once` },
);

/** Wildcard addresses, at which other machines cannot reach this one. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);

function isOrigin({ origin, href, hostname }: URL): boolean {
  return href === `${origin}/` && !ALL_ADDRESSES.has(hostname);
}

/** Several processes that answer for each other. */
export const nodes = definePart({
  title: "Several processes",
  settings: z.object({
    WORKERS: wholeNumber({ least: 1, most: 64 })
      .default(1)
      .describe(
        "processes of this service on this machine, which share the port; one that ends is started again ([scaling](scaling.md))",
      ),
    NODE_URL: urlOf("http")
      .refine((text) => new URL(text).port !== "", {
        error: "must name a port, such as http://10.0.0.5:3100",
      })
      .refine((text) => isOrigin(new URL(text)), {
        error: "must consist of scheme, host and port only, and name a host that other machines reach",
      })
      .optional()
      .meta({
        description:
          "address at which the other machines reach this one, such as `http://10.0.0.5:3100`, in a network that only they can reach; requests that belong to another process are passed on there. Further workers use the next ports",
        unset: "only processes of this machine reach each other",
      }),
    NODE_SECRET: headerKey({ least: MIN_SECRET_LENGTH })
      .optional()
      .meta({
        description: `secret of at least ${MIN_SECRET_LENGTH} characters that all machines share; required with \`NODE_URL\``,
        unset: "made at each start",
      }),
    ROLES: Roles.default([...ROLES]).meta({
      description:
        "what this machine does: comma-separated list of [roles](scaling.md#roles), `api` and `work`. One of them alone: for machines that share a Postgres database and have `NODE_URL`",
      unset: "both",
    }),
  }),
  derive: (settings) => ({
    workers: settings.WORKERS,
    url: settings.NODE_URL,
    secret: settings.NODE_SECRET,
    roles: new Set<Role>(settings.ROLES) as ReadonlySet<Role>,
  }),
});
