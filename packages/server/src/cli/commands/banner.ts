interface BannerFacts {
  readonly auth: "open" | "keys";
  /** The key is shown only once. */
  readonly freshAdminKey: string | undefined;
  /** Undefined when there are no pages to log in to. */
  readonly loginToken?: string | undefined;
}

/** Text printed when the service listens: its address, and lines to paste. */
export function banner(baseUrl: string, { auth, freshAdminKey, loginToken }: BannerFacts): string {
  const key = auth === "keys" ? ` -H 'authorization: Bearer fc-…'` : "";
  const lines = [
    `Pergamon is listening on ${baseUrl}`,
    "",
    "Try it:",
    `  curl -s ${baseUrl}/v2/scrape${key} -H 'content-type: application/json' -d '{"url":"https://example.com"}'`,
    "",
    "Configure clients (SDK, CLI):",
    `  export FIRECRAWL_API_URL=${baseUrl}`,
    auth === "keys"
      ? "  export FIRECRAWL_API_KEY=fc-…   # make one: npx pergamon keys create"
      : "  # no key is needed",
    "",
    "Connect an assistant (Model Context Protocol):",
    `  ${mcpSettings(baseUrl, auth)}`,
    "",
    ...(freshAdminKey === undefined
      ? []
      : [`Operator key for ${baseUrl}/admin/api, shown only once: ${freshAdminKey}`, ""]),
    ...(loginToken === undefined
      ? []
      : [
          "Dashboard (this link works once, within 10 minutes; for a new link: npx pergamon dashboard):",
          `  ${dashboardLink(baseUrl, loginToken)}`,
          "",
        ]),
    `Reference: ${baseUrl}/docs`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

/** Puts the token into the fragment, which browsers do not send, so that it reaches no log. */
export function dashboardLink(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard#login=${token}`;
}

/** Settings in the form that most clients accept. */
function mcpSettings(baseUrl: string, auth: BannerFacts["auth"]): string {
  const headers = auth === "keys" ? { headers: { Authorization: "Bearer fc-…" } } : {};
  return JSON.stringify({ mcpServers: { pergamon: { type: "http", url: `${baseUrl}/mcp`, ...headers } } });
}
