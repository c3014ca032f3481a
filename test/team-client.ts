import { expectDeclared } from "./declared.ts";
import type { World } from "./world.ts";

/** Asks a service as one team; what it answers has to be what it declares. */
export class TeamClient<Answer> {
  readonly #world: Pick<World, "baseUrl">;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(world: Pick<World, "baseUrl">, headers: Readonly<Record<string, string>> = {}) {
    this.#world = world;
    this.#headers = headers;
  }

  /** The body of an answer that is no JSON. */
  async read(target: string): Promise<{ readonly status: number; readonly text: string }> {
    const path = target.replace(this.#world.baseUrl, "");
    const response = await fetch(`${this.#world.baseUrl}${path}`, { headers: this.#headers });
    return { status: response.status, text: await response.text() };
  }

  /** @param line `METHOD /path`, or with a whole URL as answers have them. */
  async ask(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const [method = "GET", target = ""] = line.split(" ");
    const path = target.replace(this.#world.baseUrl, "");
    const response = await fetch(`${this.#world.baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = JSON.parse(text) as Answer;
    expectDeclared({ method, path, status: response.status, body: answer });
    return { status: response.status, body: answer, text };
  }
}
