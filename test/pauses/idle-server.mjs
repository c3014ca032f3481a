import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

/** A server that has nothing else to do: how long its answers take is how busy the machine is. */
const server = createServer((_request, response) => void response.end("{}"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") parentPort?.postMessage(address?.port, []);
});
