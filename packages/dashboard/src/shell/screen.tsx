import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { unanswered } from "../client/ask.ts";
import { era, isCutOff } from "../client/live.ts";
import { Page } from "../parts/page.tsx";
import { Notice, Skeleton } from "../parts/states.tsx";

/** A screen whose code is fetched when it is opened first, and again after it could not be had. */
export interface LateScreen {
  readonly component: ComponentType;
  preload(): Promise<unknown>;
}

export function lateScreen(name: string, load: () => Promise<ComponentType>): LateScreen {
  let loaded: ComponentType | undefined;
  let loading: Promise<ComponentType> | undefined;

  function preload(): Promise<ComponentType> {
    if (loading) return loading;
    unanswered.value += 1;
    loading = load()
      .then((component) => (loaded = component))
      .finally(() => {
        loading = undefined;
        unanswered.value -= 1;
      });
    return loading;
  }
  function Screen() {
    const [, setRound] = useState(0);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      // What came between the drawing and now is drawn, too.
      if (loaded) {
        setRound((round) => round + 1);
        return;
      }
      preload().then(
        () => setRound((round) => round + 1),
        () => setMissing(true),
      );
      // After the service was away the file may be there.
    }, [era.value]);
    if (loaded) {
      const Loaded = loaded;
      return (
        <Guard>
          <Loaded />
        </Guard>
      );
    }
    return <Page title={name}>{isMissing && !isCutOff.value ? <Outdated /> : <Skeleton lines={8} />}</Page>;
  }
  return { component: Screen, preload };
}

/** The service answers, but not with this file: it is another version by now, or the browser remembers the failure. */
function Outdated() {
  return (
    <Notice tone="warn" title="This screen could not be loaded.">
      The dashboard may have been updated.{" "}
      <button type="button" class="btn small" onClick={() => location.reload()}>
        Reload
      </button>
    </Notice>
  );
}

/** Shows what went wrong instead of nothing, until another screen is opened. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly failure?: string }> {
  override state: { readonly failure?: string } = {};

  override componentDidCatch(failure: unknown): void {
    this.setState({ failure: failure instanceof Error ? failure.message : String(failure) });
  }

  override render() {
    if (this.state.failure === undefined) return this.props.children;
    return (
      <Notice tone="bad" title="This screen failed.">
        <p class="foreign">{this.state.failure}</p>
        <button type="button" class="btn small" onClick={() => location.reload()}>
          Reload
        </button>
      </Notice>
    );
  }
}
