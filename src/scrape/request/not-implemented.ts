import { ServiceError } from "../../contract/errors.ts";

/** The refusal of something that is not built yet. */
export function notAvailable(name: string): ServiceError {
  return new ServiceError("NOT_IMPLEMENTED", { message: `${name} is not available yet.` });
}
