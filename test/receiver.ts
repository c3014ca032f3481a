import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";

/** One delivery of a webhook. */
export interface Delivered {
  readonly type: string;
  readonly success: boolean;
  readonly id: string;
  readonly webhookId: string;
  readonly data: readonly {
    readonly markdown?: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  }[];
  readonly metadata: unknown;
  readonly error?: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly path: string;
}

/** Takes webhooks on loopback. */
export interface Receiver {
  readonly url: string;
  readonly delivered: readonly Delivered[];
  types(): readonly string[];
  close(): Promise<void>;
}

/** @param answer is asked for each delivery, with how many there were. Default: 200. */
export async function openReceiver(
  answer: (response: ServerResponse, count: number) => void = (response) => response.end(),
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Receiver> {
  const delivered: Delivered[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const body = JSON.parse(raw) as Omit<Delivered, "headers" | "raw" | "path">;
    delivered.push({ ...body, headers: request.headers, raw, path: request.url ?? "" });
    answer(response, delivered.length);
  }
  const server = createServer((request, response) => {
    void take(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const receiver: Receiver = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    delivered,
    types: () => delivered.map(({ type }) => type),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return ofTestFile.add(receiver, () => receiver.close());
}
