import { expect, test } from "vitest";

import { readHls } from "./hls.ts";

const BASE = "http://a.test/all.m3u8";

test("renditions have the attributes of their line", () => {
  const lines = ["#EXTM3U", '#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="a,b"', "high.m3u8"];
  expect(readHls(lines.join("\n"), BASE)).toEqual({
    kind: "renditions",
    renditions: [{ url: "http://a.test/high.m3u8", bandwidth: 900, audioUrl: undefined }],
  });
});

test("attributes of a line without end are not read", () => {
  const lines = ["#EXTM3U", `#EXT-X-STREAM-INF:${"A=,".repeat(600_000)}BANDWIDTH=900`, "high.m3u8"];
  expect(readHls(lines.join("\n"), BASE)).toMatchObject({ renditions: [{ bandwidth: 0 }] });
});
