import type { Plugin } from "vite";

export function sharedStores(environment?: Readonly<Record<string, string | undefined>>): Plugin;
