import { type Context, reporter } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import { openProfiles, type Profiles } from "./profiles.ts";

export interface ProfileContext {
  readonly profiles: Profiles;
}

export function openProfileStore(context: Context & Storage): ProfileContext {
  const { log, database, blobs, secrets, teamData } = context;
  const onError = reporter(log, "A profile lock failed.");
  const profiles = teamData.add(openProfiles({ database, blobs, secrets, onError }));
  void tellLostKey(log, profiles);
  return { profiles };
}

/** Reports a lost key at the start, before encrypted data is needed. */
async function tellLostKey(log: Context["log"], profiles: Profiles): Promise<void> {
  const problem = await profiles.problem().catch(() => undefined);
  if (problem !== undefined) log.error(problem);
}
