import { hash } from "node:crypto";

/**
 * SHA-256 of plain data, as 64 hex digits. The order of object members does not matter, and undefined members
 * count as absent.
 */
export function stableHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** SHA-256 of the text's UTF-8 bytes, as 64 hex digits. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** SHA-256 of the text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortMembers) ?? "null";
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members);
}
