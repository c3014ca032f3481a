import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { openMail } from "../storage/mail/mail.ts";
import { openLanguageModels } from "../storage/models/language-models.ts";
import { parseEgressRules } from "./guard/egress-rules.ts";
import { openGuard } from "./guard/guard.ts";
import { fixedResolver, listenHttp, never } from "./loopback.suite.ts";
import { openService } from "./open-service.ts";
import { useOutbound } from "./outbound.ts";
import { post } from "./post.ts";
import { ServiceCalls } from "./service-call.ts";

const REPLY = JSON.stringify({ choices: [{ message: { content: '{"ok":true}' } }] });

let asked: string[];
let authorizations: unknown[];
let proxyUrl: string;
let servicePort: number;

beforeEach(async () => {
  asked = [];
  authorizations = [];
  const service = await listenHttp((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(REPLY),
  );
  servicePort = service.port;
  const proxy = createServer();
  proxy.on("connect", ({ url, headers }, socket) => {
    asked.push(url ?? "");
    authorizations.push(headers["proxy-authorization"]);
    if (url === "mail.test:2525") return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const tunnel = connect(servicePort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(tunnel).pipe(socket);
    });
    for (const end of [socket, tunnel]) end.on("error", () => tunnel.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  ofTestFile.add(proxy, () => void proxy.close());
  proxyUrl = `http://me:hunter2@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  useOutbound({ url: proxyUrl, direct: ["own.test"] });
});

afterEach(() => useOutbound(undefined));

const guard = (address: string) =>
  openGuard({ rules: parseEgressRules(["127.0.0.1"]), resolver: fixedResolver(address) });
const GET = { method: "GET", headers: {}, maxBytes: 1000 } as const;

async function askModel(host: string) {
  const model = {
    api: "openai" as const,
    baseUrl: `http://${host}`,
    apiKey: undefined,
    model: "m",
    headers: {},
  };
  const models = openLanguageModels({ models: [model], timeoutMs: 30_000, concurrency: 1 });
  const check = (answer: unknown) => ({ answer });
  return models.ask({ system: "", user: "", schema: {}, maxOutputTokens: 10, check }, never, "team");
}

/** What is called → with the address that its name has. */
const CALLS: Record<string, (host: string, address: string) => Promise<unknown>> = {
  webhook: (host, address) =>
    post({ url: new URL(`http://${host}`), headers: {}, body: "x" }, guard(address), never),
  "search engine": (host, address) =>
    new ServiceCalls(guard(address)).call({ ...GET, url: new URL(`http://${host}`) }, never),
  provider: async (host, address) =>
    (await openService({ ...GET, url: new URL(`http://${host}`) }, guard(address), never)).close(),
};

test.each(Object.entries(CALLS))(
  "a %s is reached through the proxy, at the address that was checked",
  async (_name, call) => {
    await call("service.test", "8.8.8.8");
    expect(asked).toEqual(["8.8.8.8:80"]);
    expect(authorizations).toEqual([`Basic ${Buffer.from("me:hunter2").toString("base64")}`]);
  },
);

test.each(Object.entries(CALLS))(
  "a %s at a private address is not given to the proxy",
  async (_name, call) => {
    await expect(call("service.test", "10.0.0.1")).rejects.toMatchObject({ kind: "blocked" });
    await call(`service.test:${servicePort}`, "127.0.0.1");
    expect(asked).toEqual([]);
  },
);

test("a model is reached through the proxy by its name", async () => {
  expect(await askModel("model.test")).toEqual({ answer: { ok: true }, model: "m" });
  expect(asked).toEqual(["model.test:80"]);
});

test("mail is given to the proxy by the name of its server", async () => {
  const mail = openMail({ url: "smtp://mail.test:2525", from: "a@b.test" });
  const message = { recipients: ["c@d.test"], subject: "", text: "", id: "1" };
  await expect(mail.send(message, never)).rejects.toThrow("The mail server did not take the message");
  expect(asked).toEqual(["mail.test:2525"]);
});

test.each(["127.0.0.1", "localhost"])("a model at %s is reached without the proxy", async (host) => {
  expect(await askModel(`${host}:${servicePort}`)).toMatchObject({ model: "m" });
  expect(asked).toEqual([]);
});

test.each(["own.test", "deep.OWN.test"])(
  "%s is reached without the proxy, because NO_PROXY names it",
  async (host) => {
    await expect(askModel(`${host}:${servicePort}`)).rejects.toThrow("cannot be reached");
    expect(asked).toEqual([]);
  },
);
