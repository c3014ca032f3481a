import { computeViews } from "../../packages/server/src/scrape/page/worker.ts";
import { workPages } from "./pages.ts";

/** Of which the engine has seen all there is after a few rounds. */
const DIFFERENT_PAGES = 120;
const PAGES = 1200;
const SEED = 28;

const bodies = workPages(DIFFERENT_PAGES, SEED).map((page) => Buffer.from(page));
let copiedBytes = 0;

countCopies();
let characters = 0;
for (let index = 0; index < PAGES; index += 1) {
  const body = bodies[index % bodies.length] ?? Buffer.alloc(0);
  characters += (await markdownOf(body, index)).length;
}
process.stdout.write(`\n${JSON.stringify({ copiedBytes, characters })}\n`);

async function markdownOf(body: Buffer, index: number): Promise<string> {
  const url = `https://pages.test/${index % DIFFERENT_PAGES}`;
  const capture = { body, url, contentType: "text/html; charset=utf-8", statusCode: 200 };
  const options = {
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    removesConsent: true,
    parsers: [],
    languages: [],
  };
  const source = { capture, file: { kind: "html", mimeType: "text/html" }, options };
  const { values } = await computeViews({
    source,
    views: [
      { view: "markdown", args: [] },
      { view: "metadata", args: [] },
    ],
  } as never);
  return String(values[0]);
}

/** Bytes that JavaScript copies from one array of them to another, wherever the engine does so. */
function countCopies(): void {
  const { set, slice } = Uint8Array.prototype;
  Object.assign(Uint8Array.prototype, {
    set(this: Uint8Array, from: ArrayLike<number>, at?: number) {
      copiedBytes += from.length;
      set.call(this, from, at);
    },
    slice(this: Uint8Array, from?: number, to?: number) {
      const part = slice.call(this, from, to);
      copiedBytes += part.byteLength;
      return part;
    },
  });
}
