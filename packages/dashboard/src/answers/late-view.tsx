import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Notice, Skeleton } from "../parts/states.tsx";
import type * as views from "./formats/all.ts";

type Views = typeof views;
type Name = keyof Views;
type PropsOf<View> = View extends (props: infer Props) => unknown ? Props : never;

interface LateViewProps<View extends Name> {
  readonly name: View;
  readonly of: PropsOf<Views[View]>;
}

/** Shows a view whose code is fetched when it is first wanted. A view never gets what is meant for another. */
export function LateView<View extends Name>(props: LateViewProps<View>) {
  return <OneView key={props.name} {...props} />;
}

function OneView<View extends Name>({ name, of: props }: LateViewProps<View>) {
  const [View, setView] = useState<ComponentType<PropsOf<Views[View]>> | undefined>(undefined);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isGone = false;
    async function load(): Promise<void> {
      try {
        const loaded = await import("./formats/all.ts");
        if (!isGone) setView(() => loaded[name] as unknown as ComponentType<PropsOf<Views[View]>>);
      } catch {
        setMissing(true);
      }
    }
    void load();
    return () => {
      isGone = true;
    };
  }, [name]);
  if (isMissing) return <Notice tone="warn" title="This view could not be loaded. Reload the page." />;
  return View ? <View {...(props as PropsOf<Views[View]> & object)} /> : <Skeleton lines={6} />;
}
