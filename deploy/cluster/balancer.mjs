// A small load balancer, to try several nodes on one machine. For anything else use one that many people use, such as
// Caddy or HAProxy.
//
//   node deploy/cluster/balancer.mjs 3002 http://127.0.0.1:3011 http://127.0.0.1:3012
import { Agent, createServer, request as sendRequest } from "node:http";
import { connect } from "node:net";

const LOOK_MS = 200;
const LOOK_LIMIT_MS = 2000;

const [port = "3002", ...urls] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const nodes = urls.map((url) => ({ url: new URL(url), isReady: false, open: 0 }));

/** Asks a node whether it wants requests. */
function look(node) {
  const asked = sendRequest(
    new URL("/readyz", node.url),
    { agent: false, timeout: LOOK_LIMIT_MS },
    (answer) => {
      node.isReady = answer.statusCode === 200;
      answer.resume().once("close", () => setTimeout(look, LOOK_MS, node));
    },
  );
  asked.once("timeout", () => asked.destroy(new Error("too late")));
  asked.once("error", () => {
    node.isReady = false;
    setTimeout(look, LOOK_MS, node);
  });
  asked.end();
}

/** The node that wants requests and has fewest. */
function choose() {
  const [best] = nodes.filter(({ isReady }) => isReady).toSorted((one, other) => one.open - other.open);
  if (best) best.open += 1;
  return best;
}

const server = createServer((request, response) => {
  const node = choose();
  if (!node) return response.writeHead(503).end("No node is ready.\n");
  const { hostname, port: nodePort } = node.url;
  const { method, url: path, headers } = request;
  const sent = sendRequest({ agent, hostname, port: nodePort, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  sent.once("error", (failure) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(`${failure.message}\n`);
  });
  response.once("close", () => {
    node.open -= 1;
    if (!response.writableFinished) sent.destroy();
  });
  request.pipe(sent);
});

server.on("upgrade", ({ method, url: path, rawHeaders }, client, head) => {
  const node = choose();
  if (!node) return client.destroy();
  const other = connect(Number(node.url.port), node.url.hostname, () => {
    const lines = [`${method} ${path} HTTP/1.1`];
    for (let index = 0; index < rawHeaders.length; index += 2)
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    other.write(`${lines.join("\r\n")}\r\n\r\n`);
    other.write(head);
    client.pipe(other).pipe(client);
  });
  for (const socket of [client, other]) socket.on("error", () => socket.destroy());
  client.once("close", () => other.destroy());
  other.once("close", () => {
    node.open -= 1;
    client.destroySoon();
  });
});

for (const node of nodes) look(node);
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`The balancer listens on http://127.0.0.1:${server.address().port}`);
});
