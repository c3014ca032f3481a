import { ownProperty } from "@pergamon-dev/kit/own-property";
import { keyNamed, modifierBits } from "@pergamon-dev/browser/input/key-table";
import { parseKeyPress, pressKeys, typeText } from "@pergamon-dev/browser/input/keyboard";
import type { PageRealm } from "./page-realm.ts";

const never = new AbortController().signal;

export class Keyboard {
  readonly #realm: PageRealm;

  constructor(realm: PageRealm) {
    this.#realm = realm;
  }

  async press(name: string): Promise<void> {
    const press = parseKeyPress(name);
    if (!press) throw new Error(`Unknown key: ${name}.`);
    await pressKeys(this.#realm, press, never);
  }

  async type(text: string): Promise<void> {
    await typeText(this.#realm, text, never);
  }

  async insertText(text: string): Promise<void> {
    await this.#realm.session.send("Input.insertText", { text });
  }

  down = (name: string) => this.#move("rawKeyDown", name);
  up = (name: string) => this.#move("keyUp", name);

  async #move(type: "rawKeyDown" | "keyUp", name: string): Promise<void> {
    const key = keyNamed(name);
    if (!key) throw new Error(`Unknown key: ${name}.`);
    const modifiers = type === "rawKeyDown" ? (ownProperty(modifierBits, key.key) ?? 0) : 0;
    await this.#realm.session.send("Input.dispatchKeyEvent", {
      type,
      modifiers,
      key: key.key,
      code: key.code,
      windowsVirtualKeyCode: key.keyCode,
    });
  }
}

/** The mouse of a page. Coordinates are CSS pixels of the viewport. */
export class Mouse {
  readonly #realm: PageRealm;
  #x = 0;
  #y = 0;

  constructor(realm: PageRealm) {
    this.#realm = realm;
  }

  async move(x: number, y: number): Promise<void> {
    [this.#x, this.#y] = [x, y];
    await this.#realm.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  down = (clickCount = 1) => this.#button("mousePressed", clickCount);
  up = (clickCount = 1) => this.#button("mouseReleased", clickCount);

  async click(x: number, y: number): Promise<void> {
    await this.move(x, y);
    await this.down();
    await this.up();
  }

  async dblclick(x: number, y: number): Promise<void> {
    await this.click(x, y);
    await this.down(2);
    await this.up(2);
  }

  async wheel(deltaX: number, deltaY: number): Promise<void> {
    const at = { x: this.#x, y: this.#y };
    await this.#realm.session.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...at, deltaX, deltaY });
  }

  async #button(type: "mousePressed" | "mouseReleased", clickCount: number): Promise<void> {
    const at = { x: this.#x, y: this.#y };
    const button = { button: "left", buttons: type === "mousePressed" ? 1 : 0, clickCount } as const;
    await this.#realm.session.send("Input.dispatchMouseEvent", { type, ...at, ...button });
  }
}
