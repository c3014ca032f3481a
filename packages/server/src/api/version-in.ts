/**
 * Returns the version that a request intends to change; undefined for any version (RFC 9110, section 13.1.1).
 */
export function versionIn(ifMatch: string | undefined): string | undefined {
  return ifMatch === undefined || ifMatch === "*" ? undefined : ifMatch.replace(/^"|"$/g, "");
}
