import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";

import { follow, isCutOff } from "../client/live.ts";
import { isAway, session, startProblem } from "../client/session.ts";
import { Empty, Notice, Skeleton } from "../parts/states.tsx";
import { Page } from "../parts/page.tsx";
import { Progress } from "../parts/progress.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { screens } from "../screens/all.ts";
import { IncidentStrip } from "./incident-strip.tsx";
import { GoTo } from "./go-to.tsx";
import { Login, LoginAgain } from "./login.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { lateScreen } from "./screen.tsx";
import { SideBar } from "./side-bar.tsx";

const routes = screens.map(({ path, name, load }) => ({ path, ...lateScreen(name, load) }));

const teamRoute = lateScreen("Team", async () => (await import("../screens/teams/team.tsx")).Team);

/** Begins to load the screen that the address names, before it is known who is logged in. */
export function preloadScreen(): void {
  const wanted = location.pathname.replace(/\/$/, "");
  // A screen that cannot be loaded shows its error in its own place.
  routes
    .find(({ path }) => path === wanted)
    ?.preload()
    .catch(() => undefined);
}

/** The dashboard: the login, or the screens after it. When the login ends, the screens stay as they are. */
export function App() {
  if (session.value === undefined) return <Starting />;
  if (session.value === null && !isAway.value) return <Login />;
  return (
    <LocationProvider scope="/dashboard">
      {session.value?.operator.role === "team" ? <TeamShell /> : <Shell />}
      <Toasts />
      <Progress />
      {isAway.value && <LoginAgain />}
    </LocationProvider>
  );
}

function Starting() {
  if (startProblem.value === undefined) return <Skeleton />;
  return (
    <main class="login">
      <Notice tone="bad" title={startProblem.value}>
        The dashboard opens by itself once the service can tell who is logged in.
      </Notice>
    </main>
  );
}

/** Whoever has the key of a team sees its page, and nothing else. */
function TeamShell() {
  const { component: TeamPage } = teamRoute;
  return (
    <main id="content" class="alone">
      <TeamPage />
    </main>
  );
}

function Shell() {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  useEffect(() => (isAway.value ? undefined : follow()), [isAway.value]);
  useFocusOnNewScreen(path, main);
  return (
    <div id="app">
      <a class="btn skip" href="#content" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <SideBar path={path} />
      <main id="content" tabIndex={-1} ref={main}>
        {isCutOff.value ? (
          <div class="cut-off" role="alert">
            ! The service does not respond. The data shown may be outdated. Retrying.
          </div>
        ) : (
          <IncidentStrip />
        )}
        <Router>
          {routes.map(({ path: at, component }) => (
            <Route key={at} path={at} component={component} />
          ))}
          <Route default component={Unknown} />
        </Router>
      </main>
      <PhoneBar path={path} />
      <GoTo />
    </div>
  );
}

/** Who reads by ear or works by keyboard starts at the top of a new screen. */
function useFocusOnNewScreen(path: string, main: { readonly current: HTMLElement | null }): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) main.current?.focus();
    shown.current = path;
  }, [path]);
}

function skip(event: MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function Unknown() {
  return (
    <Page title="Not found">
      <Empty
        title="This screen does not exist"
        act={
          <a class="btn" href="/dashboard">
            Go to the overview
          </a>
        }
      >
        The URL may belong to another version of the dashboard.
      </Empty>
    </Page>
  );
}
