import { latest } from "../kit/latest.ts";
import { type AdLists, openAdLists } from "../platform/browser/ads/ad-lists.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

/** The filter lists that are set at the moment. */
export function openCurrentAdLists(
  { config, log, resources }: AppContext,
  { stores: { blobs }, network: { client } }: { readonly stores: Stores; readonly network: Network },
): AdLists {
  const onError = reporter(log, "An ad list could not be fetched.");
  let opened: AdLists | undefined;
  const current = latest(
    () => config.browser.adLists,
    (urls) => {
      void opened?.close();
      return (opened = openAdLists({ urls, blobs, client, onError }));
    },
  );
  resources.add(current, () => opened?.close());
  return {
    blocker: () => current().blocker(),
    refresh: () => current().refresh(),
    close: () => current().close(),
  };
}
