/**
 * Values of IndexedDB are more than JSON. What JSON lacks is written as an object with the member `$type`, and read back
 * from it. Values that no text can express, such as keys that cannot be exported, are refused.
 */
type Encoded = { readonly $type?: string } & Readonly<Record<string, unknown>>;

const CHUNK_BYTES = 32_768;

/** @throws TypeError for a value of an unknown kind. */
export async function encode(value: unknown): Promise<unknown> {
  if (value === undefined) return { $type: "undefined" };
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return encodeNumber(value);
  if (typeof value === "bigint") return { $type: "bigint", text: String(value) };
  if (Array.isArray(value)) return Promise.all(value.map(encode));
  return encodeObject(value);
}

export function decode(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(decode);
  const encoded = value as Encoded;
  if (encoded.$type) return DECODERS[encoded.$type]?.(encoded);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]));
}

function encodeNumber(value: number): unknown {
  const isNegativeZero = Object.is(value, -0);
  if (Number.isFinite(value) && !isNegativeZero) return value;
  return { $type: "number", text: isNegativeZero ? "-0" : String(value) };
}

async function encodeObject(value: unknown): Promise<unknown> {
  if (value instanceof Date) return { $type: "date", time: value.getTime() };
  if (value instanceof RegExp) return { $type: "regexp", source: value.source, flags: value.flags };
  if (value instanceof Map) return { $type: "map", entries: await Promise.all([...value].map(encode)) };
  if (value instanceof Set) return { $type: "set", values: await Promise.all([...value].map(encode)) };
  if (value instanceof ArrayBuffer) return { $type: "buffer", base64: toBase64(value) };
  if (ArrayBuffer.isView(value)) return encodeView(value);
  if (value instanceof Blob)
    return { $type: "blob", mime: value.type, base64: toBase64(await value.arrayBuffer()) };
  if (Object.prototype.toString.call(value) !== "[object Object]")
    throw new TypeError("unknown kind of value");
  const entries = Object.entries(value as object);
  const members = await Promise.all(
    entries.map(async ([name, member]) => [name, await encode(member)] as const),
  );
  return "$type" in (value as object) ? { $type: "object", members } : Object.fromEntries(members);
}

function encodeView(view: ArrayBufferView): unknown {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  return { $type: "view", view: view.constructor.name, base64: toBase64(bytes) };
}

const DECODERS: Readonly<Record<string, (encoded: Encoded) => unknown>> = {
  undefined: () => undefined,
  number: ({ text }) => Number(text),
  bigint: ({ text }) => BigInt(text as string),
  date: ({ time }) => new Date(time as number),
  regexp: ({ source, flags }) => new RegExp(source as string, flags as string),
  map: ({ entries }) => new Map((entries as readonly unknown[]).map(decode) as [unknown, unknown][]),
  set: ({ values }) => new Set((values as readonly unknown[]).map(decode)),
  buffer: ({ base64 }) => fromBase64(base64 as string),
  view: ({ view, base64 }) => decodeView(view as string, base64 as string),
  blob: ({ mime, base64 }) => new Blob([fromBase64(base64 as string)], { type: mime as string }),
  object: ({ members }) =>
    Object.fromEntries(
      (members as readonly [string, unknown][]).map(([name, member]) => [name, decode(member)]),
    ),
};

function decodeView(name: string, base64: string): unknown {
  const views = globalThis as unknown as Readonly<
    Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>
  >;
  const View = views[name];
  return View && new View(fromBase64(base64));
}

function toBase64(buffer: ArrayBufferLike): string {
  const bytes = new Uint8Array(buffer);
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  return btoa(text);
}

function fromBase64(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
}
