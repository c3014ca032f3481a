import type { Migration } from "../interface/migration.ts";

/** Tokens that teams have used of language models, by day. */
export const modelTokens: Migration = {
  version: 18,
  name: "model-tokens",
  statements: [
    `CREATE TABLE model_tokens (
       team_id text NOT NULL,
       day bigint NOT NULL,
       model text NOT NULL,
       calls bigint NOT NULL,
       input_tokens bigint NOT NULL,
       output_tokens bigint NOT NULL,
       PRIMARY KEY (team_id, day, model)
     )`,
  ],
};
