import { KEY_ID, lastPage } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { MAX_COUNTED_REQUESTS, RequestListQuery } from "./request-query-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import type { RequestFilter, RequestPage } from "../record-search.ts";
import { requestExample, requestFilterOf, RequestsAnswer, showRequest } from "./show-request.ts";

export interface SearchServices {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
}

/** Scripts may use this list, too. */
export const requestList = defineOperation({
  ...forOperator,
  line: "GET /admin/api/requests",
  summary: "List the requests of all teams, newest first",
  query: RequestListQuery,
  answer: defineShape("Requests", RequestsAnswer, {
    ...lastPage,
    data: [{ ...requestExample, keyId: KEY_ID }],
    lookedBackTo: null,
  }),
  errors: [400],
  async handle({ query: { count, ...query } }, { requests }: SearchServices) {
    const countUpTo = count === "true" ? MAX_COUNTED_REQUESTS : undefined;
    const { data, lookedBackToMs, ...others } = await requests({ ...requestFilterOf(query), countUpTo });
    const lookedBackTo = lookedBackToMs === undefined ? null : new Date(lookedBackToMs).toISOString();
    return { success: true, data: data.map(showRequest), lookedBackTo, ...others };
  },
});
