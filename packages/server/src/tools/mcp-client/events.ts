import { MAX_MCP_MESSAGE_BYTES } from "./channel.ts";
import { LineSplitter } from "./line-splitter.ts";

/**
 * Data of server-sent events, one after the other.
 * @throws RangeError when one is too long, or all together are.
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  const splitter = new LineSplitter(MAX_MCP_MESSAGE_BYTES);
  let data: string[] = [];
  /** Of the event that is being read, counting line ends. */
  let eventCharacters = 0;
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new RangeError("The stream is too long.");
    for (const line of splitter.split(chunk)) {
      if (line.startsWith("data:")) data.push(line.slice("data:".length).trimStart());
      eventCharacters += line.length + 1;
      if (eventCharacters > MAX_MCP_MESSAGE_BYTES) throw new RangeError("The event is too long.");
      if (line !== "") continue;
      eventCharacters = 0;
      if (data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
  if (data.length > 0) yield data.join("\n");
}
