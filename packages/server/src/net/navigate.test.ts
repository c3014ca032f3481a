import type { IncomingMessage, ServerResponse } from "node:http";

import { describe, expect, test } from "vitest";

import {
  fixedResolver,
  listenHttp,
  listenHttps,
  never,
  navigationOf,
  openTestClient,
} from "./loopback.suite.ts";
import { navigate } from "./navigate.ts";

const client = openTestClient({ allow: ["127.0.0.0/8"], resolver: fixedResolver("127.0.0.1") });

/** A site whose `/to?<url>` redirects there, and that shows the request headers everywhere else. */
async function openSite(status = 302) {
  const seen: IncomingMessage[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    const [path, target] = (request.url ?? "").split("?");
    if (path === "/to") response.writeHead(status, { location: decodeURIComponent(target ?? "") });
    if (path === "/cookies")
      response.writeHead(302, { location: "/page", "set-cookie": ["a=1", "b=2; Path=/deep"] });
    response.end(JSON.stringify(request.headers));
  };
  const { port } = await listenHttp(answer);
  return { seen, port, origin: `http://127.0.0.1:${port}`, other: `http://other.test:${port}` };
}

function to(origin: string, target: string): string {
  return `${origin}/to?${encodeURIComponent(target)}`;
}

async function headersAfter(url: string, headers: Record<string, string> = {}) {
  const { response } = await navigate(client, navigationOf(url, { headers }), never);
  return JSON.parse(Buffer.from(response.body).toString()) as Record<string, string>;
}

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("%i is followed, relative targets too", async (status) => {
    const site = await openSite(status);
    const { url, response } = await navigate(client, navigationOf(to(site.origin, "/page?x=1")), never);
    expect(url).toBe(`${site.origin}/page?x=1`);
    expect(response.status).toBe(200);
  });

  test.each([300, 304, 305, 306])("%i is an answer", async (status) => {
    const site = await openSite(status);
    const { response } = await navigate(client, navigationOf(to(site.origin, "/page")), never);
    expect(response.status).toBe(status);
    expect(site.seen).toHaveLength(1);
  });

  test("without Location it is an answer with its body", async () => {
    const { port } = await listenHttp((_request, response) => response.writeHead(302).end("no target"));
    const { response } = await navigate(client, navigationOf(`http://127.0.0.1:${port}/`), never);
    expect(response.status).toBe(302);
    expect(Buffer.from(response.body).toString()).toBe("no target");
  });

  test("twenty are followed, not more", async () => {
    const { port } = await listenHttp((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
      response.end();
    });
    await expect(navigate(client, navigationOf(`http://127.0.0.1:${port}/20`), never)).resolves.toMatchObject(
      {
        url: `http://127.0.0.1:${port}/0`,
      },
    );
    await expect(navigate(client, navigationOf(`http://127.0.0.1:${port}/21`), never)).rejects.toMatchObject({
      kind: "too-many-redirects",
    });
  });

  test("a circle ends", async () => {
    const site = await openSite();
    const server = await listenHttp((_request, response) => {
      response.writeHead(302, { location: `${site.origin}/to?${encodeURIComponent(back)}` }).end();
    });
    const back = `http://127.0.0.1:${server.port}/`;
    await expect(navigate(client, navigationOf(back), never)).rejects.toMatchObject({
      kind: "too-many-redirects",
    });
  });

  test.each([
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://[",
  ])("to %s are refused", async (target) => {
    const site = await openSite();
    await expect(navigate(client, navigationOf(to(site.origin, target)), never)).rejects.toMatchObject({
      kind: "protocol",
    });
  });

  test("to a target in raw UTF-8 are followed", async () => {
    const { port } = await listenHttp((request, response) => {
      if (request.url === "/")
        response.writeHead(302, { location: Buffer.from("/ü", "utf8").toString("latin1") });
      response.end();
    });
    const { url } = await navigate(client, navigationOf(`http://127.0.0.1:${port}/`), never);
    expect(url).toBe(`http://127.0.0.1:${port}/%C3%BC`);
  });

  test("may lead from TLS and to TLS", async () => {
    const site = await openSite();
    const { port } = await listenHttps((_request, response) => {
      response.writeHead(302, { location: `${site.origin}/page` }).end();
    });
    const { url } = await navigate(
      client,
      navigationOf(to(site.origin, `https://origin.test:${port}/`)),
      never,
    );
    expect(url).toBe(`${site.origin}/page`);
  });
});

describe("the URL", () => {
  test("loses its fragment", async () => {
    const site = await openSite();
    const { url } = await navigate(client, navigationOf(to(site.origin, "/page#there")), never);
    expect(url).toBe(`${site.origin}/page`);
  });

  test("gives its user name and password as Basic authentication, and loses them", async () => {
    const site = await openSite();
    const address = site.origin.replace("http://", "http://us%65r:p%40ss%@");
    const { url, response } = await navigate(client, navigationOf(`${address}/page`), never);
    expect(url).toBe(`${site.origin}/page`);
    const headers = JSON.parse(Buffer.from(response.body).toString()) as Record<string, string>;
    expect(headers["authorization"]).toBe(`Basic ${Buffer.from("user:p%40ss%").toString("base64")}`);
  });

  test("that is not valid is refused", async () => {
    await expect(navigate(client, navigationOf("http://["), never)).rejects.toMatchObject({
      kind: "invalid-url",
    });
  });

  test.each(["file:///etc/passwd", "gopher://127.0.0.1/", "about:blank"])("%s is refused", async (url) => {
    await expect(navigate(client, navigationOf(url), never)).rejects.toMatchObject({ kind: "protocol" });
  });
});

describe("headers", () => {
  const secrets = {
    Authorization: "Bearer x",
    Cookie: "sid=1",
    "X-API-Key": "k",
    "x-auth-token": "t",
    "X-Plain": "p",
  };

  test("reach the target, with the accepted languages", async () => {
    const site = await openSite();
    const seen = await headersAfter(`${site.origin}/page`, secrets);
    expect(seen).toMatchObject({ authorization: "Bearer x", cookie: "sid=1", "x-plain": "p" });
    expect(seen["accept-language"]).toBe("en-US,en;q=0.9");
    expect(await headersAfter(`${site.origin}/page`, { "accept-LANGUAGE": "de" })).toMatchObject({
      "accept-language": "de",
    });
  });

  test("stay along redirects of the same origin", async () => {
    const site = await openSite();
    const seen = await headersAfter(to(site.origin, "/page"), secrets);
    expect(seen).toMatchObject({
      authorization: "Bearer x",
      cookie: "sid=1",
      "x-api-key": "k",
      "x-plain": "p",
    });
  });

  test("that are credentials do not reach another origin, nor come back", async () => {
    const site = await openSite();
    for (const url of [
      to(site.origin, `${site.other}/page`),
      to(site.origin, to(site.other, `${site.origin}/page`)),
    ]) {
      const seen = await headersAfter(url, secrets);
      expect(Object.keys(seen)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(authorization|cookie|x-api-key|x-auth-token)$/)]),
      );
      expect(seen["x-plain"]).toBe("p");
    }
  });

  test("from a URL's user name do not reach another origin", async () => {
    const site = await openSite();
    const start = to(site.origin, `${site.other}/page`).replace("http://", "http://u:p@");
    expect(await headersAfter(start)).not.toHaveProperty("authorization");
  });

  test("another port is another origin", async () => {
    const [site, other] = [await openSite(), await openSite()];
    expect(await headersAfter(to(site.origin, `${other.origin}/page`), secrets)).not.toHaveProperty("cookie");
  });
});

describe("cookies", () => {
  test("set along the chain are sent to their site and path", async () => {
    const site = await openSite();
    expect(await headersAfter(`${site.origin}/cookies`)).toMatchObject({ cookie: "a=1" });
  });

  test("are merged over the caller's", async () => {
    const site = await openSite();
    const seen = await headersAfter(`${site.origin}/cookies`, { Cookie: "a=old; c=3" });
    expect(seen["cookie"]?.split("; ").toSorted()).toEqual(["a=1", "c=3"]);
  });

  test("do not reach another site", async () => {
    const { port } = await listenHttp((request, response) => {
      if (request.url === "/") {
        const location = `http://other.test:${port}/page`;
        response.writeHead(302, {
          location,
          "set-cookie": ["a=1", "b=2; Domain=other.test", "c=3; Domain=test"],
        });
      }
      response.end(JSON.stringify(request.headers));
    });
    expect(await headersAfter(`http://site.test:${port}/`)).not.toHaveProperty("cookie");
  });

  test("are gone with the next navigation", async () => {
    const site = await openSite();
    await headersAfter(`${site.origin}/cookies`);
    expect(await headersAfter(`${site.origin}/page`)).not.toHaveProperty("cookie");
  });

  test("let a page through that asks for one", async () => {
    const { port } = await listenHttp((request, response) => {
      if (request.headers.cookie === "seen=1") response.end("welcome");
      else
        response.writeHead(302, { location: "/", "set-cookie": "seen=1; HttpOnly; SameSite=Strict" }).end();
    });
    const { response } = await navigate(client, navigationOf(`http://127.0.0.1:${port}/`), never);
    expect(Buffer.from(response.body).toString()).toBe("welcome");
  });
});
