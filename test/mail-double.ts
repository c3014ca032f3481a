import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";

/** One message as a mail server took it. */
export interface TakenMail {
  readonly recipients: readonly string[];
  readonly text: string;
}

/** A mail server on loopback. */
export interface MailDouble {
  readonly url: string;
  readonly taken: readonly TakenMail[];
  /** Connections so far. */
  attempts(): number;
  close(): Promise<void>;
}

/**
 * @param answer to the recipients of a message. Default: all are taken.
 * @param greet of a connection: undefined when nothing is said to it.
 */
export async function openMailDouble(
  answer: () => string = () => "250 OK",
  greet: (socket: Socket) => string | undefined = () => "220 double",
): Promise<MailDouble> {
  let attempts = 0;
  const taken: TakenMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    attempts += 1;
    const greeting = greet(socket);
    if (greeting === undefined) return;
    socket.write(`${greeting}\r\n`);
    serve(socket, answer, (mail) => taken.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const double: MailDouble = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    attempts: () => attempts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return ofTestFile.add(double, () => double.close());
}

/** As much of SMTP (RFC 5321) as one message needs. */
function serve(socket: Socket, answer: () => string, take: (mail: TakenMail) => void): void {
  let [recipients, body, isData, rest]: [string[], string[], boolean, string] = [[], [], false, ""];
  const say = (line: string) => socket.write(`${line}\r\n`);
  function hear(line: string): void {
    if (isData && line !== ".") return void body.push(line);
    if (isData) {
      take({ recipients, text: body.join("\n") });
      [recipients, body, isData] = [[], [], false];
      return void say("250 OK");
    }
    if (/^RCPT/i.test(line)) {
      recipients.push(/<(.*)>/.exec(line)?.[1] ?? "");
      return void say(answer());
    }
    isData = /^DATA/i.test(line);
    if (/^QUIT/i.test(line)) return void socket.end("221 Bye\r\n");
    say(isData ? "354 Go on" : "250 OK");
  }
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString()).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
