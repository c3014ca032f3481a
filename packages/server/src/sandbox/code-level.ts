import type { SandboxVerdict } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** Level that the operator wants (`INTERACT_CODE`). */
export type WantedLevel = "auto" | "box" | "wasm" | "off";

/** The way in which code runs here. */
export type CodeLevel =
  | { readonly name: "box"; readonly sandbox: Sandbox }
  /** Code runs in a WebAssembly interpreter without access to the system. */
  | { readonly name: "wasm"; readonly reason: string; readonly remedy: string }
  | { readonly name: "off"; readonly reason: string; readonly remedy: string };

/** No box is available, for this reason. */
export type BoxlessLevel = Exclude<CodeLevel, { readonly name: "box" }>;

/** @param verdict called only where boxes are wanted, because its proof takes half a second. */
export async function decideLevel(
  wanted: WantedLevel,
  verdict: () => Promise<SandboxVerdict>,
): Promise<CodeLevel> {
  if (wanted === "off") {
    return { name: "off", reason: "INTERACT_CODE is off", remedy: "Set INTERACT_CODE to auto." };
  }
  if (wanted === "wasm") {
    return { name: "wasm", reason: "INTERACT_CODE is wasm", remedy: "Set INTERACT_CODE to auto." };
  }
  const found = await verdict();
  if (found.sandbox) return { name: "box", sandbox: found.sandbox };
  const { reason, remedy } = found;
  return { name: wanted === "auto" ? "wasm" : "off", reason, remedy };
}
