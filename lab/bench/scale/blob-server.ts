import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** As much of an S3 store as putting and reading takes. It keeps connections open, as such stores do. */
const objects = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url = "", headers } = request;
    if (headers.authorization === undefined) return response.writeHead(403).end();
    if (method === "PUT") {
      objects.set(url, Buffer.concat(chunks));
      return response.writeHead(200, { "content-length": 0 }).end();
    }
    const object = objects.get(url);
    if (object === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-length": object.byteLength }).end(object);
  });
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on("SIGTERM", () => process.exit());
