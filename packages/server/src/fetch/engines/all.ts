import type { HttpClient } from "../../net/client.ts";
import type { Engine } from "../engine.ts";
import type { BrowserStage } from "../stages/stage.ts";
import { browserEngine, type BrowserPools } from "./browser.ts";
import { httpEngine } from "./http.ts";

interface EngineServices {
  readonly client: HttpClient;
  readonly browsers: BrowserPools;
  readonly stages: readonly BrowserStage[];
}

/** One line per engine. Their capabilities and costs decide which one makes a visit. */
export function openEngines({ client, browsers, stages }: EngineServices): readonly Engine[] {
  return [httpEngine(client), browserEngine(browsers, stages)];
}
