import { useEffect, useState } from "preact/hooks";

import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { screens } from "../screens/all.ts";
import { isGoToOpen } from "./go-to.tsx";
import { GROUPS, isAt, ThemeChoice } from "./side-bar.tsx";

/** The screens that a phone has room for; More has all of them. */
const PLACES: ReadonlySet<string> = new Set(["Overview", "Playground", "Requests", "Jobs", "Usage"]);

/** On a phone: five places within reach of the thumb, and everything else in one window. */
export function PhoneBar({ path }: { readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const places = screens.filter(({ name }) => PLACES.has(name));
  const isElsewhere = !places.some((place) => isAt(path, place.path));
  return (
    <nav class="phone-bar" aria-label="Places">
      {places.map(({ path: to, name, icon }) => (
        <a key={to} href={to} {...(isAt(path, to) && { "aria-current": "page" as const })}>
          <Icon name={icon} />
          {name}
        </a>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        class={isElsewhere ? "on" : ""}
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        More
      </button>
      {isOpen && <More path={path} onClose={() => setOpen(false)} />}
    </nav>
  );
}

function More({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  return (
    <Dialog title="All screens" onClose={onClose}>
      <div class="all-screens">
        {GROUPS.map((group) => (
          <ul key={group} aria-label={group === "" ? "First" : group}>
            {screens
              .filter((screen) => screen.group === group)
              .map(({ path: to, name, icon }) => (
                <li key={to}>
                  <a href={to} onClick={onClose} {...(isAt(path, to) && { "aria-current": "page" as const })}>
                    <Icon name={icon} />
                    {name}
                  </a>
                </li>
              ))}
          </ul>
        ))}
      </div>
      <button
        type="button"
        class="btn"
        onClick={() => {
          onClose();
          isGoToOpen.value = true;
        }}
      >
        <Icon name="find" />
        Go to an id, URL or key
      </button>
      <ThemeChoice />
    </Dialog>
  );
}
