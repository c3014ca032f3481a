import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { makeTeam } from "../../../../test/operator.ts";
import { htmlPage, openSite, type Site } from "../../../../test/site.ts";
import { useWorld } from "../../../../test/use-world.ts";
import type { Caller } from "../accounts/callers.ts";

const ADMIN_KEY = "operator-key-of-the-tests";

const world = useWorld({ AUTH: "keys", ADMIN_KEY, RATE_LIMIT: "off" });
let caller: Caller;
let scrape: (request: object) => Promise<unknown>;

beforeAll(async () => {
  await useTeamWith(1000);
});

async function useTeamWith(credits: number): Promise<void> {
  const team = await makeTeam(world, { credits });
  ({ scrape } = team);
  const apiKey = team.headers.authorization.slice("Bearer ".length);
  caller = (await world.app.callers.byKey(apiKey)) as Caller;
}

/** A site of its own for each test. */
async function withSite(
  files: Readonly<Record<string, string | Buffer>>,
  use: (site: Site) => Promise<void>,
): Promise<void> {
  const site = await openSite();
  try {
    for (const [path, content] of Object.entries(files)) {
      site.page(
        path,
        typeof content === "string" && !content.startsWith("<?xml") ? content : asFile(content),
      );
    }
    await use(site);
  } finally {
    await site.close();
  }
}

function asFile(content: string | Buffer): Parameters<Site["page"]>[1] {
  return (_request, response) => response.writeHead(200, { "content-type": "text/xml" }).end(content);
}

function map(body: Readonly<Record<string, unknown>>, isGone = new AbortController().signal) {
  return world.app.families.map.run({ caller, linkBase: "https://service.test", body }, isGone);
}

async function pathsOf(body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { links } = await map(body);
  return links.map(({ url }) => url.replace(/^http:\/\/[^/]+/, ""));
}

const page = (...links: readonly string[]) =>
  htmlPage(`<h1>Page</h1>${links.map((href) => `<a href="${href}">link</a>`).join(" ")}`);
const sitemap = (site: string, ...paths: readonly string[]) =>
  `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${site}${path}</loc></url>`).join("")}</urlset>`;

describe("a map for others that obey robots.txt", () => {
  const obeying = (body: object) =>
    world.app.families.map.run(
      { caller, linkBase: "https://service.test", body, obeysRobots: true },
      new AbortController().signal,
    );

  test("neither visits nor lists what is forbidden, and says how much that is", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/shop/", page("/shop/a", "/shop/hidden/b", "/shop/hidden/c"));
      site.page("/robots.txt", asFile("User-agent: *\nDisallow: /shop/hidden/"));
      const { links, warning } = await obeying({ url });
      expect(links.map(({ url: link }) => new URL(link).pathname)).toEqual(["/shop/", "/shop/a"]);
      expect(warning).toBe("Addresses left out because robots.txt forbids them: 2.");
    });
  });

  test("does not visit a forbidden start", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/shop/", page("/shop/a"));
      site.page("/robots.txt", asFile("User-agent: *\nDisallow: /shop/$"));
      site.page("/sitemap.xml", asFile(sitemap(site.url(""), "/shop/b")));
      const { links } = await obeying({ url });
      expect(links.map(({ url: link }) => new URL(link).pathname)).toEqual(["/shop/b"]);
      expect(site.hits("/shop/")).toHaveLength(0);
    });
  });
});

describe("words of a search", () => {
  test.each([
    ["temper", "/docs/tempering"],
    ["heating", "/docs/heat-table"],
    ["data sheet", "/files/datasheet-a1.pdf"],
    ["datasheet", "/files/data-sheet"],
  ])("%s finds %s", async (search, path) => {
    await withSite({}, async (site) => {
      const url = site.page("/", page("/about", "/contact", path, "/imprint"));
      expect((await pathsOf({ url, search }))[0]).toBe(path);
    });
  });

  test("an exact word goes before a similar one", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/", page("/docs/tempering", "/docs/temper"));
      expect((await pathsOf({ url, search: "temper" })).slice(0, 2)).toEqual([
        "/docs/temper",
        "/docs/tempering",
      ]);
    });
  });
});

describe("a map", () => {
  test("lists the start, the sitemaps' pages and the links of the page, each once, in this order", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/", page("/c", "/b?utm_source=x", "/a", "/b/", "mailto:a@b.cd", "#top"));
      site.page("/sitemap.xml", asFile(sitemap(site.url(""), "/a", "/b")));
      expect(await pathsOf({ url })).toEqual(["/", "/a", "/b", "/c"]);
    });
  });

  test("reads sitemaps that robots.txt names, whatever their kind", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/", page());
      const names = ["/s/index.xml", "/s/list.txt"].map((path) => `Sitemap: ${site.url(path)}`).join("\n");
      site.page("/robots.txt", asFile(`User-agent: *\nDisallow: /hidden/\n${names}`));
      site.page(
        "/s/index.xml",
        asFile(`<sitemapindex><sitemap><loc>${site.url("/s/a.xml.gz")}</loc></sitemap></sitemapindex>`),
      );
      site.page("/s/a.xml.gz", asFile(gzipSync(sitemap(site.url(""), "/one", "/hidden/two"))));
      site.page("/s/list.txt", asFile(`${site.url("/three")}\n`));
      expect(await pathsOf({ url })).toEqual(["/", "/three", "/one", "/hidden/two"]);
    });
  });

  test("of sitemaps alone may be empty", async () => {
    await withSite({ "/": page("/linked") }, async (site) => {
      expect(await map({ url: site.url("/"), sitemap: "only" })).toMatchObject({ links: [] });
    });
  });

  test("puts links first that fit the search", async () => {
    await withSite({ "/": page("/coffee", "/pots", "/tea-pots", "/tea") }, async (site) => {
      const paths = await pathsOf({ url: site.url("/"), search: "tea pots" });
      expect(paths[0]).toBe("/tea-pots");
      expect(paths).toHaveLength(5);
      expect(paths.slice(3)).toEqual(["/", "/coffee"]);
      expect(await pathsOf({ url: site.url("/"), search: "tea pots", limit: 1 })).toEqual(["/tea-pots"]);
    });
  });

  test("tells titles where a source states them", async () => {
    await withSite({}, async (site) => {
      site.page(
        "/",
        htmlPage("<a href=/a>anchor</a>", `<title>Home</title><meta name=description content="The site">`),
      );
      const feed = `<rss><channel><item><link>${site.url("/a")}</link><title>First</title><description>Of all</description></item></channel></rss>`;
      site.page("/sitemap.xml", asFile(feed));
      const { links } = await map({ url: site.url("/") });
      expect(links).toEqual([
        { url: site.url("/"), title: "Home", description: "The site" },
        { url: site.url("/a"), title: "First", description: "Of all" },
      ]);
    });
  });

  test("lists stored pages of the site, unless that is not wanted", async () => {
    await withSite({ "/": page(), "/hidden/page": page() }, async (site) => {
      await map({ url: site.url("/hidden/page"), useIndex: false });
      expect(await pathsOf({ url: site.url("/") })).toEqual(["/", "/hidden/page"]);
      expect(await pathsOf({ url: site.url("/"), useIndex: false })).toEqual(["/"]);
    });
  });

  test("lists no address that another team has fetched", async () => {
    await withSite({ "/": page(), "/reset": page(), "/own": page() }, async (site) => {
      await map({ url: site.url("/reset?token=secret"), useIndex: false });
      await useTeamWith(1000);
      await map({ url: site.url("/own"), useIndex: false });
      expect(await pathsOf({ url: site.url("/") })).toEqual(["/", "/own"]);
    });
  });

  test("says titles and descriptions of the team's own copies, and finds by them", async () => {
    const described = `<head><title>Kilns</title><meta name="description" content="For clay"></head>`;
    await withSite({ "/": page("/a", "/k/", "/z"), "/k/": described }, async (site) => {
      const url = site.url("/k/");
      await scrape({ url });
      const found = { url, title: "Kilns", description: "For clay" };
      const { links } = await map({ url: site.url("/"), search: "kilns" });
      expect(links[0]).toEqual(found);
      expect((await map({ url: site.url("/"), useIndex: false })).links).toContainEqual({ url });
      await useTeamWith(1000);
      expect((await map({ url: site.url("/") })).links).toContainEqual({ url });
    });
  });

  test("fetches everything anew where that is wanted, and else what is not stored", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/", page());
      site.page("/sitemap.xml", asFile(sitemap(site.url(""), "/a")));
      await map({ url });
      await map({ url });
      expect([site.hits("/").length, site.hits("/sitemap.xml").length]).toEqual([1, 1]);
      await map({ url, ignoreCache: true });
      expect([site.hits("/").length, site.hits("/sitemap.xml").length]).toEqual([2, 2]);
    });
  });

  test("leaves out pages that the threat policy blocks", async () => {
    await withSite({ "/": page("http://bad.test/a", "http://good.test/a") }, async (site) => {
      const body = { url: site.url("/"), allowExternalLinks: true };
      const threatProtection = { mode: "manual-only", blacklist: ["bad.test"] };
      const { links } = await map({ ...body, threatProtection });
      expect(links.map(({ url }) => url)).toEqual([site.url("/"), "http://good.test/a"]);
    });
  });
});

describe("a map that finds nothing", () => {
  test("of its page in time tells what answered", async () => {
    await withSite({}, async (site) => {
      const url = site.page("/", () => undefined);
      site.page("/sitemap.xml", asFile(sitemap(site.url(""), "/a")));
      const { links, warning } = await map({ url, timeout: 2000 });
      expect(links.map((link) => link.url)).toEqual([url, site.url("/a")]);
      expect(warning).toMatch(/^The map operation timed out/);
    });
  });

  test("is refused where the policy blocks the start", async () => {
    const threatProtection = { mode: "manual-only", blacklist: ["127.0.0.1"] };
    await expect(map({ url: world.site.url("/"), threatProtection })).rejects.toMatchObject({
      code: "unsafe_domain_blocked",
    });
  });

  test("ends when the caller goes away", async () => {
    const gone = new AbortController();
    const url = world.site.page("/hangs", () => gone.abort(new Error("gone")));
    await expect(map({ url }, gone.signal)).rejects.toThrow("gone");
  });
});
