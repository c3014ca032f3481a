import { randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

import { ownerOfPeer } from "./peer-owner.ts";
import type { EgressOptions } from "@pergamon-dev/browser/egress";
import type { Login } from "@pergamon-dev/browser/proxy-login";

/** Who may use an egress proxy: only the browser that it is made for. Other programs that find the port get nothing. */
export class EgressAdmission {
  /** What the browser has to say; undefined when its user is enough. */
  readonly login: Login | undefined;
  readonly #users: readonly number[];
  readonly #knownPeers = new WeakMap<Socket, Promise<boolean>>();

  constructor({ isExposed, users }: Pick<EgressOptions, "isExposed" | "users">) {
    this.login = isExposed ? { username: "pergamon", password: randomUUID() } : undefined;
    this.#users = users;
  }

  async isGiven({ headers, socket }: IncomingMessage): Promise<boolean> {
    if (!this.login) return this.#isOfUser(socket);
    const { username, password } = this.login;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return isSameText(headers["proxy-authorization"] ?? "", expected);
  }

  #isOfUser(socket: Socket): Promise<boolean> {
    const isKnown =
      this.#knownPeers.get(socket) ??
      ownerOfPeer(socket).then((user) => user === undefined || this.#users.includes(user));
    this.#knownPeers.set(socket, isKnown);
    return isKnown;
  }
}

/** Takes as long for every text of the same length. */
function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
