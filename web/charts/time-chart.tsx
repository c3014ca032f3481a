import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";

import { shortCount } from "../format/numbers.ts";
import { dayOf } from "../format/times.ts";
import { loadPlot } from "./load-plot.ts";

interface Series {
  readonly name: string;
  /** Name of the colour among the tokens. */
  readonly colour: "c1" | "c2" | "c3" | "c4";
  readonly values: readonly number[];
}

interface TimeChartProps {
  /** When each step begins. */
  readonly starts: readonly string[];
  readonly series: readonly Series[];
  readonly label: string;
}

/** Pixels. */
const HEIGHT = 200;

/** Bars over time, one next to the other. A table of the same figures stands below every chart. */
export function TimeChart({ starts, series, label }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isUndrawable, setUndrawable] = useState(false);
  const figures = JSON.stringify([starts, series]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let chart: uPlot | undefined;
    let isGone = false;
    const draw = async () => {
      const UPlot = await loadPlot();
      if (isGone) return;
      chart?.destroy();
      chart = new UPlot(
        optionsOf(UPlot, { frame: element, starts, series }),
        dataOf(starts, series),
        element,
      );
    };
    const tryToDraw = () => void draw().catch(() => setUndrawable(true));
    tryToDraw();
    const resized = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const recoloured = watchColours(tryToDraw);
    return () => {
      isGone = true;
      resized.disconnect();
      recoloured();
      chart?.destroy();
    };
  }, [figures]);
  if (isUndrawable) {
    return <p class="help">This browser cannot draw the chart. The table below shows the same figures.</p>;
  }
  return <div class="chart" ref={frame} role="img" aria-label={label} />;
}

function dataOf(starts: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const times = starts.map((start) => Date.parse(start) / 1000);
  return [times, ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
}

interface Drawing {
  readonly frame: HTMLElement;
  readonly starts: readonly string[];
  readonly series: readonly Series[];
}

function optionsOf(UPlot: typeof uPlot, { frame, starts, series }: Drawing): uPlot.Options {
  const axis = {
    stroke: colourOf(frame, "--ink-3"),
    grid: { stroke: colourOf(frame, "--line"), width: 1 },
    ticks: { show: false },
    font: "11px Geist, system-ui, sans-serif",
  };
  const bars = UPlot.paths.bars?.({ size: [0.78, 22], radius: 0.12 });
  return {
    width: frame.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, first, last) => padded(first, last, starts) },
      y: { range: (_, __, most) => [0, Math.max(4, most * 1.08)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => dayOf(tick * 1000)),
        space: 72,
        size: 30,
      },
      { ...axis, side: 1, size: 44, values: (_, ticks) => ticks.map(shortCount) },
    ],
    series: [
      {},
      ...series.map(({ name, colour }) => ({
        label: name,
        fill: colourOf(frame, `--${colour}`),
        width: 0,
        ...(bars && { paths: bars }),
        points: { show: false },
      })),
    ],
  };
}

/** Half a step more at either end, where the first and the last bar need it. */
function padded(first: number, last: number, starts: readonly string[]): [number, number] {
  const half = starts.length > 1 ? (last - first) / (starts.length - 1) / 2 : 43_200;
  return [first - half, last + half];
}

/** A token as the canvas understands it. */
function colourOf(frame: HTMLElement, token: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${token})`;
  frame.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls back when the page changes between light and dark. @returns what ends that. */
function watchColours(onChange: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", onChange);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", onChange);
  };
}
