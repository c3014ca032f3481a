import fastify from "fastify";

/** The floor of the cached scrape: the same framework, parsing the same body, answering the same bytes. */
const answer = Buffer.from(process.env["ANSWER_BASE64"] ?? "", "base64");
const app = fastify();
app.post("/v2/scrape", async (_request, reply) => reply.type("application/json; charset=utf-8").send(answer));
const url = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${url}\n`);
process.on("SIGTERM", () => process.exit(0));
