/** Whether the host is the domain or a subdomain of it. */
export function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The host of a URL or bare host name, in lower case; undefined when the text has none. */
export function hostOf(text: string): string | undefined {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
