import { htmlPage, type Site } from "./site.ts";

/** Puts pages of all kinds on a site. @returns what requests may ask for, the usual page more often than the others. */
export function addFuzzPages(site: Site): readonly string[] {
  const html = site.page(
    "/fuzz",
    htmlPage(
      '<main><h1 id="a">Title</h1><p class="ad">Text <a href="/b">link</a> <img src="c.png"></p></main>',
    ),
  );
  const bytes = (path: string, type: string, body: string | Buffer) =>
    site.page(path, (_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(body);
    });
  return [
    html,
    html,
    html,
    html,
    bytes("/fuzz.json", "application/json", '{"a":[1,null]}'),
    bytes("/fuzz.pdf", "application/pdf", "%PDF-1.4\n%%EOF"),
    bytes("/fuzz.png", "image/png", Buffer.from("89504e470d0a1a0a", "hex")),
    bytes("/fuzz.bin", "application/octet-stream", Buffer.from([0, 1, 2, 255])),
    site.page("/fuzz-empty", ""),
    site.page(
      "/fuzz-away",
      (_request, response) => void response.writeHead(302, { location: "/fuzz" }).end(),
    ),
    site.page(
      "/fuzz-loop",
      (_request, response) => void response.writeHead(302, { location: "/fuzz-loop" }).end(),
    ),
    site.page("/fuzz-cut", (_request, response) => void response.destroy()),
    site.url("/fuzz-missing"),
    "http://127.0.0.1:1/",
    "http://10.255.255.1/",
  ];
}
