// A page as Markdown, with the JavaScript client: npm install firecrawl, then
// node examples/scrape.mjs https://example.com
import { FirecrawlClient } from "firecrawl";

const [page = "https://example.com"] = process.argv.slice(2);
const client = new FirecrawlClient({
  apiUrl: process.env.FIRECRAWL_API_URL ?? "http://127.0.0.1:3002",
  // On the own machine any text will do.
  apiKey: process.env.FIRECRAWL_API_KEY ?? "none",
});

const { markdown, links, metadata } = await client.scrape(page, {
  formats: ["markdown", "links"],
  onlyMainContent: true,
  timeout: 30_000,
});
console.log(markdown);
console.log(`${links?.length ?? 0} links on ${metadata?.url}, status ${metadata?.statusCode}`);
