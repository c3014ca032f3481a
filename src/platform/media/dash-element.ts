import { ownProperty } from "../../kit/own-property.ts";
import { MediaProblem } from "./media-problem.ts";

/** An element of the manifest: its attributes and its children, each a list. */
export interface DashElement {
  readonly [name: string]: string | readonly DashElement[] | undefined;
}

export function childrenOf(element: DashElement, name: string): readonly DashElement[] {
  const children = ownProperty(element, name);
  return Array.isArray(children) ? (children as readonly DashElement[]) : [];
}

export function elementText(value: DashElement[string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Ampersands are the only entities that addresses need. */
export function resolveAddress(address: string | undefined, base: string): string {
  const plain = address?.trim().replaceAll("&amp;", "&");
  if (!plain) return base;
  if (!URL.canParse(plain, base))
    throw new MediaProblem("unsupported", "The manifest has an address that is none.");
  return new URL(plain, base).href;
}
