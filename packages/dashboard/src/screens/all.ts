import type { ComponentType } from "preact";

import type { IconName } from "../parts/icon.tsx";

interface Screen {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Heading it stands under in the side bar; those without come first. Details are opened from other screens. */
  readonly group: "" | "Work" | "Manage" | "Detail";
  /** Fetched when the screen is first opened. */
  readonly load: () => Promise<ComponentType>;
}

/** One line per screen, in the order of the side bar. */
export const screens: readonly Screen[] = [
  screen("", "overview", "Overview", async () => (await import("./overview/overview.tsx")).Overview),
  screen(
    "",
    "playground",
    "Playground",
    async () => (await import("./playground/playground.tsx")).Playground,
  ),
  screen("Work", "requests", "Requests", async () => (await import("./requests/requests.tsx")).Requests),
  screen("Work", "jobs", "Jobs", async () => (await import("./jobs/jobs.tsx")).Jobs),
  screen("Work", "monitors", "Monitors", async () => (await import("./monitors/monitors.tsx")).Monitors),
  screen("Work", "sessions", "Sessions", async () => (await import("./sessions/sessions.tsx")).Sessions),
  screen("Work", "tools", "Tools", async () => (await import("./tools/tools.tsx")).Tools),
  {
    ...screen(
      "Detail",
      "requests",
      "Response",
      async () => (await import("./response/response.tsx")).Response,
    ),
    path: "/dashboard/response",
  },
  screen("Manage", "usage", "Usage", async () => (await import("./usage/usage.tsx")).Usage),
  screen("Manage", "keys", "Keys", async () => (await import("./keys/keys.tsx")).Keys),
  screen("Manage", "teams", "Teams", async () => (await import("./teams/teams.tsx")).Teams),
  {
    ...screen("Detail", "teams", "Team", async () => (await import("./teams/team.tsx")).Team),
    path: "/dashboard/team",
  },
  screen("Manage", "profiles", "Profiles", async () => (await import("./profiles/profiles.tsx")).Profiles),
  screen("Manage", "cache", "Cache", async () => (await import("./cache/cache.tsx")).Cache),
  screen("Manage", "audit", "Audit log", async () => (await import("./audit/audit.tsx")).Audit),
  screen("Manage", "backups", "Backups", async () => (await import("./backups/backups.tsx")).Backups),
  screen("Manage", "settings", "Settings", async () => (await import("./settings/settings.tsx")).Settings),
];

function screen(
  group: Screen["group"],
  icon: IconName,
  name: string,
  load: () => Promise<ComponentType>,
): Screen {
  return { group, icon, name, path: icon === "overview" ? "/dashboard" : `/dashboard/${icon}`, load };
}
