import { setTimeout as pause } from "node:timers/promises";

import type { WebSocket } from "ws";

import { encodeList } from "@pergamon-dev/kit/encode-members";
import { type FollowedRun, followRun, type RunNews } from "../follow-run.ts";
import { type StatusFacts, statusFacts } from "../run-status.ts";
import type { SendTurns } from "../../http/live/send-turns.ts";
import type { SharedDocuments } from "./shared-documents.ts";
import type { UnsentBytes } from "../../http/live/unsent-bytes.ts";

/** A run that is watched, by whom. */
export interface WatchedRun extends Omit<FollowedRun, "signal" | "records"> {
  readonly documents: SharedDocuments;
  readonly turns: SendTurns;
  /** Why the connection ends, when the run has. */
  readonly farewell: "done" | "closed";
  readonly unsent: UnsentBytes;
}

/** What is unsent of one connection before it waits. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
const SLOW_READER_MS = 100;

/** Tells a connection what becomes of a run, until that has ended (contract of the families, section 5). */
export async function feedRun(socket: WebSocket, watched: WatchedRun): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  const { documents, turns, unsent, caller } = watched;
  unsent.add(caller.teamId, socket);
  let isFirst = true;
  for await (const news of followRun({ ...watched, records: documents, signal: gone.signal })) {
    const facts = statusFacts(news.run, watched.place);
    await turns.take(news.texts.reduce((length, text) => length + text.length, 0));
    if (isFirst) socket.send(await catchupOf(news, facts), { binary: false });
    else for (const text of news.texts) socket.send(await documents.message(text), { binary: false });
    isFirst = false;
    news.release();
    if (socket.bufferedAmount > 0) unsent.makeRoom(caller.teamId);
    if (news.isLast) return end(socket, facts, watched.farewell);
    await readerHasRoom(socket);
  }
}

/** Clients take an end in this message as the end of all: it is sent only when every document is in it. */
async function catchupOf({ texts, hasMore }: RunNews, facts: StatusFacts): Promise<Buffer> {
  const head = JSON.stringify({ ...facts, status: hasMore ? "scraping" : facts.status });
  const start = Buffer.from(`{"type":"catchup","data":${head.slice(0, -1)},"data":[`);
  return Buffer.concat([start, ...(await encodeList(texts)), Buffer.from("]}}")]);
}

function end(socket: WebSocket, facts: StatusFacts, farewell: WatchedRun["farewell"]): void {
  const isDone = facts.status === "completed";
  const message = isDone ? { type: "done", data: facts } : { type: "status", data: { ...facts, data: [] } };
  socket.send(JSON.stringify(message));
  socket.close(1000, JSON.stringify({ type: farewell }));
}

async function readerHasRoom(socket: WebSocket): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > MAX_UNSENT_BYTES)
    await pause(SLOW_READER_MS);
}
