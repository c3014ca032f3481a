import { computed, signal } from "@preact/signals";

import { withMember } from "../../forms/object-field.tsx";
import type { RequestBody } from "../../client/post.ts";

/**
 * The address of the request that is being made, or what else its JSON says in that place. The request outlives the
 * screen, so that it is typed only once.
 */
export const address = signal<unknown>("");
/** All of it but the address, so that typing the address draws no option again. */
export const options = signal<RequestBody>({ formats: ["markdown"] });

/** The request as it is sent. */
export const body = computed<RequestBody>(() =>
  address.value === undefined ? options.value : { url: address.value, ...options.value },
);

export function setOption(name: string, value: unknown): void {
  options.value = withMember(options.value, name, value);
}

/** Takes the request as a whole, such as from its JSON. */
export function setBody({ url, ...others }: RequestBody): void {
  address.value = url;
  options.value = others;
}
