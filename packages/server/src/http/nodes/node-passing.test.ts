import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";

import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";

import { possibleElsewhere } from "../../api/elsewhere.ts";
import { NodePassing } from "./node-passing.ts";

const PROCESS = "process of the session";

let isListed = true;
let failures: unknown[] = [];
let other: Server;
let url = "";
let passing: NodePassing;

/** A process that takes requests and does not answer, as one that was stopped. */
beforeEach(async () => {
  isListed = true;
  failures = [];
  other = createServer(() => undefined).listen(0, "127.0.0.1");
  other.on("upgrade", () => undefined);
  await once(other, "listening");
  url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  passing = new NodePassing({
    nodes: { urlOf: async () => (isListed ? url : undefined) },
    secret: "secret of all processes",
    onError: (failure) => failures.push(failure),
    lookMs: 20,
  });
});

afterEach(() => {
  other.closeAllConnections();
  other.close();
});

const elsewhere = () => possibleElsewhere(new Error("It is not here."), PROCESS);

async function openNode(): Promise<FastifyInstance> {
  const app = Fastify();
  app.get("/session", async (request, reply) => {
    return (await passing.answer(elsewhere(), request, reply)) ?? reply.code(404).send("It is not here.");
  });
  app.server.on("upgrade", (request: IncomingMessage, socket, head) => {
    void passing.connect(elsewhere(), request, { socket, head });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app;
}

test("a request to a process that is gone without a word is answered as if it had not been there", async () => {
  const app = await openNode();
  const answering = app.inject("/session");
  await once(other, "request");
  isListed = false;
  expect(await answering).toMatchObject({ statusCode: 404, body: "It is not here." });
  expect(failures).toEqual([new Error("The other process is gone.")]);
  await app.close();
});

test("a connection to a process that is gone without a word ends", async () => {
  const app = await openNode();
  const { port } = app.server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  client.write("GET /live HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  await once(other, "upgrade");
  expect(client.destroyed).toBe(false);
  isListed = false;
  await once(client, "close");
  expect(failures).toEqual([]);
  await app.close();
});

test("a process that is not listed for a moment goes on", async () => {
  const app = await openNode();
  other.removeAllListeners("request");
  other.on("request", (_request, response) => setTimeout(() => response.end("here"), 200).unref());
  const answering = app.inject("/session");
  await once(other, "request");
  isListed = false;
  setTimeout(() => (isListed = true), 30);
  expect(await answering).toMatchObject({ statusCode: 200, body: "here" });
  await app.close();
});
