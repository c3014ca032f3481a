/** True for a name or an address of this machine, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host);
}
