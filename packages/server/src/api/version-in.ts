/** Which version a request means to change; undefined for whichever there is (RFC 9110, section 13.1.1). */
export function versionIn(ifMatch: string | undefined): string | undefined {
  return ifMatch === undefined || ifMatch === "*" ? undefined : ifMatch.replace(/^"|"$/g, "");
}
