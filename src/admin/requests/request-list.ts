import { listRequests } from "../../contract/operator/requests.ts";
import { defineOperation } from "../../operations/operation.ts";
import type { RequestFilter, RequestPage } from "../../stores/scrapes/record-search.ts";
import { requestFilterOf, showRequest } from "./show-request.ts";

export interface SearchServices {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
}

/** For scripts, too. */
export const requestList = defineOperation({
  ...listRequests,
  async handle({ query }, { requests }: SearchServices) {
    const found = await requests(requestFilterOf(query));
    return { success: true, data: found.data.map(showRequest), cursor: found.cursor };
  },
});
