import {
  type AlertSettings,
  type AlertsAnswer,
  type AlertTestAnswer,
  changeAlerts,
  readAlerts,
  testAlerts,
} from "../contract/operator/alerts.ts";
import { defineOperation } from "../operations/operation.ts";
import { versionIn } from "./version.ts";

export interface AlertServices {
  readonly alerts: {
    show(): Promise<AlertsAnswer["data"]>;
    /** @throws ChangedMeanwhileError; ServiceError BAD_REQUEST for mail without a mail server. */
    change(settings: AlertSettings, expected: string | undefined): Promise<AlertsAnswer["data"]>;
    test(signal: AbortSignal): Promise<AlertTestAnswer["data"]>;
  };
}

const read = defineOperation({
  ...readAlerts,
  handle: async (_call, { alerts }: AlertServices) => ({ success: true, data: await alerts.show() }),
});

const change = defineOperation({
  ...changeAlerts,
  handle: async ({ body, headers }, { alerts }: AlertServices) => ({
    success: true,
    data: await alerts.change(body, versionIn(headers["if-match"])),
  }),
});

const test = defineOperation({
  ...testAlerts,
  handle: async ({ signal }, { alerts }: AlertServices) => ({
    success: true,
    data: await alerts.test(signal),
  }),
});

export const alertOperations = [read, change, test];
