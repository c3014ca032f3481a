/** Whether the host is the domain or below it. */
export function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The host of a URL or of a bare name, in lower case; undefined when there is none. */
export function hostOf(text: string): string | undefined {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
