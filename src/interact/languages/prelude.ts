/**
 * What code of an interpreter finds: `console`, timers, and `page`, `context` and `browser`, whose methods are carried out
 * outside. Source of a function, as the interpreter wants it (`InterpreterStart.prelude`).
 */
export const PRELUDE = `(ask, print, later, end) => {
  const STEPS = new Set(["locator", "getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText",
    "getByTitle", "getByTestId", "nth", "first", "last", "filter"]);
  const EVENTS = new Set(["on", "once", "off", "addListener", "removeListener", "removeAllListeners"]);
  const state = { pages: [] };
  const names = new WeakMap();

  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    if (typeof value === "function") return "[Function: " + (value.name || "anonymous") + "]";
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const encode = (value) => {
    if (typeof value === "function") return { $function: String(value) };
    if (value instanceof RegExp) return { $pattern: value.source, flags: value.flags };
    if (typeof value !== "object" || value === null) return value;
    if (names.has(value)) return { $ref: names.get(value) };
    if (Array.isArray(value)) return value.map(encode);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, encode(one)]));
  };
  const bytesOf = (base64) => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const digits = base64.replace(/=+$/, "");
    const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
    let bits = 0, count = 0, at = 0;
    for (const digit of digits) {
      bits = ((bits << 6) | letters.indexOf(digit)) & 0xffffff;
      count += 6;
      if (count >= 8) bytes[at++] = (bits >> (count -= 8)) & 255;
    }
    return Object.assign(bytes, { toString: (encoding) => (encoding === "base64" ? base64 : show([...bytes])) });
  };
  const decode = (answer) => {
    if ("list" in answer) return answer.list.map(decode);
    if ("bytes" in answer) return bytesOf(answer.bytes);
    if ("page" in answer) return pageOf(answer.page);
    if ("ref" in answer) return objectOf({ ref: answer.ref }, []);
    return answer.value;
  };
  const call = async (target, steps, method, args) => {
    const answer = JSON.parse(await ask(JSON.stringify({ target, steps, method, args: encode(args) })));
    state.pages = answer.pages;
    if (answer.error !== undefined) throw new Error(answer.error);
    return decode(answer);
  };
  const objectOf = (target, steps, own = {}) => {
    const object = new Proxy(own, {
      get: (_, name) => {
        if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
        if (Object.hasOwn(own, name)) return own[name];
        if (EVENTS.has(name)) return () => { throw new Error(name + " is not available without a sandbox (see doctor)."); };
        if (STEPS.has(name)) return (...args) => objectOf(target, [...steps, [name, encode(args)]], locatorOwn(target, [...steps, [name, encode(args)]]));
        return (...args) => call(target, steps, name, args);
      },
    });
    if (target.ref) names.set(object, target.ref);
    return object;
  };
  const locatorOwn = (target, steps) => ({
    all: async () => {
      const count = await call(target, steps, "count", []);
      return Array.from({ length: count }, (_, index) => {
        const one = [...steps, ["nth", [index]]];
        return objectOf(target, one, locatorOwn(target, one));
      });
    },
  });
  const pages = new Map();
  const pageOf = (id) => {
    if (!pages.has(id)) {
      pages.set(id, objectOf({ page: id }, [], {
        url: () => state.pages.find((one) => one.id === id)?.url ?? "about:blank",
        isClosed: () => !state.pages.some((one) => one.id === id),
        context: () => context,
        keyboard: objectOf({ page: id, part: "keyboard" }, []),
        mouse: objectOf({ page: id, part: "mouse" }, []),
      }));
    }
    return pages.get(id);
  };
  const context = objectOf({ context: true }, [], { pages: () => state.pages.map(({ id }) => pageOf(id)) });
  const browser = objectOf({ browser: true }, [], { contexts: () => [context], isConnected: () => true });

  let lastTimer = 0;
  const timers = new Set();
  const startTimer = (repeats) => (act, delayMs = 0, ...args) => {
    const timer = ++lastTimer;
    timers.add(timer);
    const wait = () => later(Number(delayMs) || 0).then(() => {
      if (!timers.has(timer)) return;
      if (repeats) wait();
      else timers.delete(timer);
      act(...args);
    });
    wait();
    return timer;
  };
  const write = (isError) => (...values) => print(isError, values.map(show).join(" ") + "\\n");
  const stopTimer = (timer) => void timers.delete(timer);
  Object.assign(globalThis, {
    context, browser,
    console: { log: write(false), info: write(false), debug: write(false), warn: write(true), error: write(true) },
    setTimeout: startTimer(false), setInterval: startTimer(true), clearTimeout: stopTimer, clearInterval: stopTimer,
    require: (name) => { throw new Error("require(" + show(name) + ") is not available without a sandbox (see doctor)."); },
  });
  return (session, started) => {
    ({ pages: state.pages } = JSON.parse(session));
    globalThis.page = pageOf(JSON.parse(session).page);
    started().then(
      (value) => end(false, value === undefined ? "" : show(value), ""),
      (failure) => end(true, failure instanceof Error ? failure.message : show(failure),
        failure instanceof Error ? failure.name + ": " + failure.message + "\\n" + (failure.stack ?? "") : show(failure)),
    );
  };
}`;
