import type { Plugin } from "vite";

export function areStoresShared(environment?: Readonly<Record<string, string | undefined>>): boolean;

export function sharedStores(environment?: Readonly<Record<string, string | undefined>>): Plugin;
