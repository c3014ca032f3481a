import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";

/** Makes that a request of provider tools looks as one does whose process died long ago. */
export async function loseToolRequest(dataDir: string, chargeId: string): Promise<void> {
  const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
  await database
    .prepared(
      "UPDATE tool_requests SET state = 'running', response = NULL, deadline_at = ?, scrape_id = ? WHERE charge_id = ?",
    )
    // As if nothing had been charged: the charge has the id of the scrape.
    .run(Date.now() - 120_000, `0192${crypto.randomUUID().slice(4)}`, chargeId);
  await database.close();
}
