import type { ReplayAnswer, ReplayRequest } from "@pergamon-dev/server/history/operator/show-request";
import { ask } from "../../client/ask.ts";

export type ReplayChanges = ReplayRequest;

/** Runs a request of the log again, with the same team and price. */
export async function replay(id: string, changes: ReplayChanges): Promise<ReplayAnswer["data"]> {
  return (await ask("POST /admin/api/requests/{id}/replay", { params: { id }, body: changes })).data;
}
