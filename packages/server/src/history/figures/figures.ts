import { unlessAway } from "@pergamon-dev/kit/process/own-failure";
import type { Database } from "../../storage/database/database.ts";
import type { TeamData } from "../../storage/team-data.ts";
import type { EndedWork, RefusedCall } from "../../accounts/work.ts";
import { FigureCounts } from "./figure-counts.ts";
import { type FigureQuery, type OwnerFigures } from "./figure-spans.ts";
import {
  addFigures,
  deleteOldFigures,
  eraseFigures,
  type FigureRow,
  figuresByOwner,
  readFigures,
} from "./figure-rows.ts";
import { figuresBySite, formatsOfSites, ownersOfSites, type SiteQuery, type SiteSum } from "./site-rows.ts";

/** Counts of requests and their outcomes, added up by minute, hour and day. */
export interface Figures extends TeamData {
  /** Counts a request. It is written a moment later with others, and a crash may lose that moment. */
  count(ended: EndedWork): void;
  countRefused(call: RefusedCall): void;
  read(query: FigureQuery): Promise<readonly FigureRow[]>;
  byOwner(query: Omit<FigureQuery, "teamId" | "keyId">): Promise<readonly OwnerFigures[]>;
  /** Requests by site, by format, and by team and key. A named host or format limits the sums to it. */
  readonly sites: {
    byHost(query: SiteQuery): Promise<readonly SiteSum[]>;
    byFormat(query: SiteQuery): Promise<readonly SiteSum[]>;
    byOwner(query: Omit<SiteQuery, "teamId" | "keyId">): Promise<readonly OwnerFigures[]>;
  };
  /** Writes what waits, and closes. */
  close(): Promise<void>;
}

interface FiguresOptions {
  readonly database: Database;
  readonly clock?: () => number;
  /** Called when figures could not be written. The write is retried. */
  readonly onError: (failure: unknown) => void;
}

/** Counts wait this long for others, so that they share a write. */
const WAIT_MS = 1000;

export function openFigures({ database, clock = Date.now, onError }: FiguresOptions): Figures {
  const counts = new FigureCounts();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const groups = counts.take();
    if (groups.length === 0) return;
    await database
      .transaction((tx) => addFigures(tx, groups))
      .catch((failure: unknown) => {
        counts.putBack(groups);
        throw failure;
      });
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => undefined);
    writing = write().finally(() => {
      writing = undefined;
    });
    await writing;
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch((failure: unknown) => {
        onError(failure);
        writeLater();
      });
    }, WAIT_MS).unref();
  }

  return {
    count(ended) {
      counts.add(ended);
      writeLater();
    },
    countRefused(call) {
      counts.addRefused(call);
      writeLater();
    },
    async read(query) {
      await unlessAway(flush());
      return readFigures(database, query);
    },
    async byOwner(query) {
      await unlessAway(flush());
      return figuresByOwner(database, query);
    },
    sites: sitesIn(database, () => unlessAway(flush())),
    async erase(teamId) {
      await flush();
      await eraseFigures(database, teamId);
    },
    prune: () => deleteOldFigures(database, clock()),
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

function sitesIn(database: Database, flush: () => Promise<void>): Figures["sites"] {
  return {
    byHost: (query) => flush().then(() => figuresBySite(database, query)),
    byFormat: (query) => flush().then(() => formatsOfSites(database, query)),
    byOwner: (query) => flush().then(() => ownersOfSites(database, query)),
  };
}
