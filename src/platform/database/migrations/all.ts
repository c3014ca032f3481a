import { initial } from "./up-to-0028/0001-initial.ts";
import { profilesAndFiles } from "./up-to-0028/0002-profiles-and-files.ts";
import { ledger } from "./up-to-0028/0003-ledger.ts";
import { governance } from "./up-to-0028/0004-governance.ts";
import { auditDeliveries } from "./up-to-0028/0005-audit-deliveries.ts";
import { owners } from "./up-to-0028/0006-owners.ts";
import { hostsOfScrapes } from "./up-to-0028/0007-hosts-of-scrapes.ts";
import { coordination } from "./up-to-0028/0008-coordination.ts";
import { ownersAndOrder } from "./up-to-0028/0009-owners-and-order.ts";
import { feedback } from "./up-to-0028/0010-feedback.ts";
import { trustOfCaptures } from "./up-to-0028/0011-trust-of-captures.ts";
import { toolRequests } from "./up-to-0028/0012-tool-requests.ts";
import { pageVersions } from "./up-to-0028/0013-page-versions.ts";
import { interactSessions } from "./up-to-0028/0014-interact-sessions.ts";
import { operatorSessions } from "./up-to-0028/0015-operator-sessions.ts";
import { figures } from "./up-to-0028/0016-figures.ts";
import { callsOfToolRequests } from "./up-to-0028/0017-calls-of-tool-requests.ts";
import { modelTokens } from "./up-to-0028/0018-model-tokens.ts";
import { jobs } from "./up-to-0028/0019-jobs.ts";
import { kindsOfWork } from "./up-to-0028/0020-kinds-of-work.ts";
import { jobRuns } from "./up-to-0028/0021-job-runs.ts";
import { webhooks } from "./up-to-0028/0022-webhooks.ts";
import { addressesOfCaptures } from "./up-to-0028/0023-addresses-of-captures.ts";
import { batches } from "./up-to-0028/0024-batches.ts";
import { uploads } from "./up-to-0028/0025-uploads.ts";
import { crawls } from "./up-to-0028/0026-crawls.ts";
import { smallAnswers } from "./up-to-0028/0027-small-answers.ts";
import { extracts } from "./up-to-0028/0028-extracts.ts";
import { monitors } from "./0030-monitors.ts";
import { agents } from "./0032-agents.ts";
import { paidSessions } from "./0033-paid-sessions.ts";
import { findableRequests } from "./0034-findable-requests.ts";
import { rotatedKeys } from "./0035-rotated-keys.ts";
import { nodes } from "./0042-nodes.ts";
import { settings } from "./0049-settings.ts";
import { auditChanges } from "./0050-audit-changes.ts";
import { backups } from "./0051-backups.ts";
import { siteFigures } from "./0055-site-figures.ts";
import { limitStores } from "./0056-limit-stores.ts";
import { nodeFacts } from "./0059-node-facts.ts";
import { allotments } from "./0062-allotments.ts";
import { sharedStores } from "./0065-shared-stores.ts";
import { alerts } from "./0071-alerts.ts";
import { ownersOfToolRequests } from "./0072-owners-of-tool-requests.ts";
import { mailSubscriptions } from "./0073-mail-subscriptions.ts";
import type { Migration } from "./interface/migration.ts";

/** Every migration, oldest first. A released one is never edited. */
export const migrations: readonly Migration[] = [
  initial,
  profilesAndFiles,
  ledger,
  governance,
  auditDeliveries,
  owners,
  hostsOfScrapes,
  coordination,
  ownersAndOrder,
  feedback,
  trustOfCaptures,
  toolRequests,
  pageVersions,
  interactSessions,
  operatorSessions,
  figures,
  callsOfToolRequests,
  modelTokens,
  jobs,
  kindsOfWork,
  jobRuns,
  webhooks,
  addressesOfCaptures,
  batches,
  uploads,
  crawls,
  smallAnswers,
  extracts,
  monitors,
  agents,
  paidSessions,
  findableRequests,
  rotatedKeys,
  nodes,
  settings,
  auditChanges,
  backups,
  siteFigures,
  limitStores,
  nodeFacts,
  allotments,
  sharedStores,
  alerts,
  ownersOfToolRequests,
  mailSubscriptions,
];
