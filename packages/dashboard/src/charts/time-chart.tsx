import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";

import { count, shortCount } from "../format/numbers.ts";
import { loadPlot } from "./load-plot.ts";
import { stepName, type Step, TICK_SECONDS, tickNames } from "./ticks.ts";

interface Series {
  readonly name: string;
  /** Name of the colour among the tokens. */
  readonly colour: "c1" | "c2" | "c3" | "c4" | "bad";
  readonly values: readonly number[];
}

interface TimeChartProps {
  /** When each step begins. */
  readonly starts: readonly string[];
  /** How long each step is. */
  readonly step: Step;
  readonly series: readonly Series[];
  readonly label: string;
  /** A value that is drawn as a dashed line, unless it is so high that the bars would be lost below it. */
  readonly line?: number | undefined;
}

/** So many times as high as the highest bar, a line is in the picture. */
const MAX_LINE = 5;
/** Pixels. */
const HEIGHT = 200;

/** Bars over time, one next to the other; the pointer tells the figures of a step. A table of the same figures is below every chart. */
export function TimeChart({ starts, step, series, label, line }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isUndrawable, setUndrawable] = useState(false);
  const figures = JSON.stringify([starts, step, series, line]);
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
        optionsOf(UPlot, { frame: element, starts, step, series, line }),
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
  readonly step: Step;
  readonly series: readonly Series[];
  readonly line: number | undefined;
}

function optionsOf(UPlot: typeof uPlot, drawing: Drawing): uPlot.Options {
  const { frame, series, step, line = 0 } = drawing;
  const most = Math.max(4, ...series.flatMap(({ values }) => values));
  const top = Math.max(most, line > MAX_LINE * most ? 0 : line) * 1.08;
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
    // Days begin at midnight, UTC; hours are in the reader's time zone.
    ...(step === "day" && { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") }),
    hooks: {
      setCursor: [tellAtPointer(drawing)],
      ...(line > 0 && line < top && { draw: [drawLine(frame, line)] }),
    },
    scales: {
      x: { range: () => wholeSpan(drawing) },
      y: { range: () => [0, top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, ticks) => tickNames(ticks, step),
        incrs: TICK_SECONDS[step],
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

function drawLine(frame: HTMLElement, value: number): (chart: uPlot) => void {
  return (chart) => {
    const { ctx, bbox } = chart;
    const y = chart.valToPos(value, "y", true);
    ctx.save();
    ctx.strokeStyle = colourOf(frame, "--ink-2");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  };
}

/** From the beginning of the first step to the end of the last, with bars in the middle of theirs. */
function wholeSpan({ starts, step }: Drawing): [number, number] {
  const half = STEP_SECONDS[step] / 2;
  const [first = 0, last = first] = [starts[0], starts.at(-1)].map((start) => Date.parse(start ?? "") / 1000);
  return [first - half, last + half];
}

const STEP_SECONDS = { hour: 3600, day: 86_400 } as const;

/** Shows the figures of the step below the pointer, next to the pointer. */
function tellAtPointer({ frame, starts, step, series }: Drawing): (chart: uPlot) => void {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  return ({ cursor: { idx, left = -1 }, over }) => {
    const start = left < 0 ? undefined : starts[idx ?? -1];
    tip.hidden = start === undefined;
    if (start === undefined) return;
    if (!tip.isConnected) frame.append(tip);
    const figures = series.map(({ name, values }) => `${name} ${count(values[idx ?? 0] ?? 0)}`);
    tip.textContent = [stepName(start, step), ...figures].join(" · ");
    const isRight = left > over.clientWidth / 2;
    tip.style.left = isRight ? "" : `${left + 12}px`;
    tip.style.right = isRight ? `${frame.clientWidth - left + 12}px` : "";
  };
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
