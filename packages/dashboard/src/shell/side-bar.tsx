import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { seconds } from "../client/live.ts";
import { session } from "../client/session.ts";
import { plainly } from "../format/foreign.ts";
import { Badge } from "../parts/badge.tsx";
import { Icon, Mark } from "../parts/icon.tsx";
import { screens } from "../screens/all.ts";
import { isGoToOpen } from "./go-to.tsx";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "./theme-choice.ts";

const theme = signal<Theme>(chosenTheme());
const NAMES = { system: "System", light: "Light", dark: "Dark" } as const;

/** Groups of screens, in their order. */
export const GROUPS = ["", "Work", "Manage"] as const;

/** The way to every screen. */
export function SideBar({ path }: { readonly path: string }) {
  const { version, auth, baseUrl, operator } = session.value ?? { version: "", auth: "keys", baseUrl: "" };
  return (
    <nav class="side" aria-label="Main" ref={useCurrentInSight(path)}>
      <a class="brand" href="/dashboard" aria-label="Pergamon, overview">
        <Mark />
        Pergamon
      </a>
      <button type="button" class="find" onClick={() => (isGoToOpen.value = true)}>
        <Icon name="find" />
        <span>Go to</span>
        <kbd>{goToKey()}</kbd>
      </button>
      {GROUPS.map((group) => (
        <Group key={group} group={group} path={path} />
      ))}
      <div class="foot faint">
        <ThemeChoice />
        {operator?.role === "viewer" && <Badge tone="info">Viewer: no changes</Badge>}
        <span class="wrap">
          {operator?.name != null && (
            <>
              {plainly(operator.name)}
              <br />
            </>
          )}
          {version}, {auth === "open" ? "open mode" : "keyed mode"}
          <br />
          {baseUrl.replace(/^https?:\/\//, "")}
        </span>
      </div>
    </nav>
  );
}

/** Where the bar is a row that scrolls, the screen that is shown stands within sight. */
function useCurrentInSight(path: string) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (current && bar.current) bar.current.scrollLeft = current.offsetLeft - bar.current.clientWidth / 3;
  }, [path]);
  return bar;
}

function Group({ group, path }: { readonly group: string; readonly path: string }) {
  const live = seconds.value.at(-1)?.sessions ?? 0;
  return (
    <>
      {group !== "" && <h2>{group}</h2>}
      {screens
        .filter((screen) => screen.group === group)
        .map(({ path: to, name, icon }) => (
          <a key={to} href={to} {...(isAt(path, to) && { "aria-current": "page" as const })}>
            <Icon name={icon} />
            {name}
            {icon === "sessions" && live > 0 && <span class="badge accent">{live} live</span>}
          </a>
        ))}
    </>
  );
}

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  return (
    <div class="theme" role="group" aria-label="Colours">
      {THEMES.map((choice) => (
        <button
          type="button"
          key={choice}
          aria-pressed={theme.value === choice}
          onClick={() => choose(choice)}
        >
          {NAMES[choice]}
        </button>
      ))}
    </div>
  );
}

function choose(choice: Theme): void {
  theme.value = choice;
  chooseTheme(choice);
}

/** Whether a path is that of a screen. */
export function isAt(path: string, to: string): boolean {
  return path.replace(/\/$/, "") === to;
}

function goToKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}
