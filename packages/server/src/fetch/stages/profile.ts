import type { Log } from "@pergamon-dev/kit/log/log";
import { openStorageTransfer, type StorageTransfer } from "@pergamon-dev/browser/tab/storage-transfer";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { ProfileWriter } from "../../profiles/profile-writer.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import type { BrowserStage } from "./stage.ts";

interface Session {
  readonly transfer: StorageTransfer;
  /** Undefined when nothing may be saved. */
  readonly writer: ProfileWriter | undefined;
}

interface ProfileServices {
  readonly profiles: Profiles;
  readonly savesProfiles: boolean;
  readonly log: Log;
}

/**
 * Starts the browser with the cookies and the storage of a profile. A visit that may save it holds its lock
 * while the tab is open (contract, section 3.27). NOTE: must come before stages that judge documents.
 */
export function profile({ profiles, savesProfiles, log }: ProfileServices): BrowserStage {
  const sessions = new WeakMap<BrowserTab, Session>();
  return {
    async prepare(tab, { visit }, signal) {
      const wanted = visit.browser.profile;
      if (!wanted) return;
      const name = { teamId: visit.teamId, name: wanted.name };
      const writer = wanted.saveChanges && savesProfiles ? await profiles.openWriter(name) : undefined;
      const transfer = openStorageTransfer(tab);
      sessions.set(tab, { transfer, writer });
      const state = await profiles.load(name);
      if (state) await transfer.restore(state, signal);
    },
    async onCaptured(tab, _attempt, signal) {
      const session = sessions.get(tab);
      if (!session?.writer) return;
      await session.writer.save(await session.transfer.read(signal));
    },
    async onLeave(tab) {
      const release = sessions.get(tab)?.writer?.release();
      await release?.catch((failure: unknown) =>
        log.error({ err: failure }, "A profile could not be unlocked."),
      );
    },
  };
}
