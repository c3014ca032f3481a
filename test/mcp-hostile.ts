import { createInterface } from "node:readline";

/** A program that breaks one promise of the Model Context Protocol: which one, its first argument says. */
const [, , broken = ""] = process.argv;

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly name?: string; readonly cursor?: string };
}

const schema = { type: "object" };
const tool = (name: unknown, inputSchema: unknown = schema) => ({
  name,
  description: "Does it.",
  inputSchema,
});

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function answer(id: number | undefined, result: object): void {
  send({ id, result });
}

const lists: Readonly<Record<string, (cursor: string | undefined) => object>> = {
  "strange-list": () => ({
    tools: [
      tool("good"),
      tool("good"),
      tool(""),
      tool(7),
      tool("line\nbreak"),
      tool("x".repeat(201)),
      tool("no-schema", null),
      tool("elsewhere", { $ref: "https://evil.test/schema.json" }),
      tool("large", { type: "object", properties: { a: { enum: ["x".repeat(70_000)] } } }),
      tool("circle", { type: "object", properties: { a: { $ref: "#" } } }),
    ],
  }),
  "endless-list": (cursor = "0") => ({
    tools: Array.from({ length: 100 }, (_, index) => tool(`tool-${cursor}-${index}`)),
    nextCursor: String(Number(cursor) + 1),
  }),
  "no-list": () => ({ tools: "none" }),
};

const calls: Readonly<Record<string, (id: number | undefined) => void>> = {
  dies: () => process.exit(1),
  "answers-twice": (id) => {
    answer(id, { content: [{ type: "text", text: "first" }] });
    answer(id, { content: [{ type: "text", text: "second" }] });
  },
  notifies: () => {
    const notify = () => {
      for (let count = 0; count < 100; count += 1) send({ method: "notifications/tools/list_changed" });
      setImmediate(notify);
    };
    notify();
  },
  huge: (id) => answer(id, { content: [{ type: "text", text: "x".repeat(6 * 1024 * 1024) }] }),
  leaves: (id) => {
    const content = [{ type: "text", text: "x".repeat(3 * 1024 * 1024) }];
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { content } })}\n`, () =>
      process.exit(),
    );
  },
  garbage: (id) => {
    process.stdout.write("this is no message\n[]\nnull\n");
    answer(id, { content: "what" });
  },
  asks: (id) => {
    send({ id: "mine", method: "sampling/createMessage", params: {} });
    answer(id, { content: [{ type: "text", text: "asked" }] });
  },
  lies: (id) => send({ id, error: { code: -32_602, message: "There is no such tool." } }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as Asked;
  if (method === "initialize") {
    answer(id, {
      protocolVersion: broken === "old" ? "1999-01-01" : "2025-06-18",
      capabilities: {},
      serverInfo: {},
    });
  } else if (method === "tools/list") answer(id, lists[broken]?.(params.cursor) ?? { tools: [tool("good")] });
  else if (method === "tools/call") (calls[broken] ?? (() => undefined))(id);
}
