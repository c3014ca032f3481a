import { MAX_COUNTED_REQUESTS } from "./request-query-shapes.ts";
import { listRequests } from "./requests-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import type { RequestFilter, RequestPage } from "../record-search.ts";
import { requestFilterOf, showRequest } from "./show-request.ts";

export interface SearchServices {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
}

/** For scripts, too. */
export const requestList = defineOperation({
  ...listRequests,
  async handle({ query: { count, ...query } }, { requests }: SearchServices) {
    const countUpTo = count === "true" ? MAX_COUNTED_REQUESTS : undefined;
    const { data, lookedBackToMs, ...others } = await requests({ ...requestFilterOf(query), countUpTo });
    const lookedBackTo = lookedBackToMs === undefined ? null : new Date(lookedBackToMs).toISOString();
    return { success: true, data: data.map(showRequest), lookedBackTo, ...others };
  },
});
