import { expect, test } from "vitest";

import { WebSocketFrames } from "./passed-sockets.ts";

const HEAD = Buffer.from("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n");

function frame(payloadBytes: number): Buffer {
  const payload = Buffer.alloc(payloadBytes, 0x88);
  if (payloadBytes < 126) return Buffer.concat([Buffer.from([0x81, payloadBytes]), payload]);
  const head = Buffer.alloc(payloadBytes < 65_536 ? 4 : 10);
  head[0] = 0x82;
  if (payloadBytes < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(payloadBytes, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payloadBytes), 2);
  }
  return Buffer.concat([head, payload]);
}

test.each([1, 2, 3, 7, 1000, 1_000_000])("frames end where they end, in pieces of %d bytes", (pieceBytes) => {
  const frames = new WebSocketFrames();
  const parts = [HEAD, frame(0), frame(5), frame(125), frame(126), frame(70_000), frame(1)];
  for (const part of parts) {
    const between: number[] = [];
    for (let start = 0; start < part.byteLength; start += pieceBytes) {
      frames.read(part.subarray(start, start + pieceBytes));
      if (frames.isBetween) between.push(start + pieceBytes);
    }
    expect([between.length, (between[0] ?? 0) >= part.byteLength]).toEqual([1, true]);
  }
  frames.read(Buffer.concat([frame(3), frame(4)]));
  expect(frames.isBetween).toBe(true);
  frames.read(frame(9).subarray(0, 6));
  expect(frames.isBetween).toBe(false);
});

test("what is no handshake is never between frames", () => {
  const frames = new WebSocketFrames();
  for (let part = 0; part < 100; part += 1) frames.read(Buffer.alloc(1000, "x"));
  expect(frames.isBetween).toBe(false);
});
