import type { RunNews } from "../follow-run.ts";
import { progressLine } from "../../cli/progress-line.ts";

/** One line on standard error that says how far a run is, where a person looks. */
export interface RunProgress {
  note(run: RunNews["run"]): void;
  /** Writes to standard output, clear of that line. */
  print(text: string): void;
  /** Writes a sentence to standard error. */
  tell(sentence: string): void;
  end(): void;
}

/** @param title `Batch` */
export function runProgress(title: string): RunProgress {
  const line = progressLine();
  const startMs = Date.now();
  let [atStart, latest] = [undefined as number | undefined, undefined as RunNews["run"] | undefined];
  const show = () => {
    if (latest) line.show(`${title}: ${stateOf(latest, atStart ?? 0, (Date.now() - startMs) / 1000)}`);
  };
  const write = (stream: NodeJS.WriteStream, text: string) => {
    line.end();
    stream.write(text);
  };
  const timer = setInterval(show, 1000);
  return {
    note(run) {
      latest = run;
      atStart ??= run.completed + run.failed;
      show();
    },
    print: (text) => write(process.stdout, text),
    tell: (sentence) => write(process.stderr, `${sentence}\n`),
    end() {
      clearInterval(timer);
      line.end();
    },
  };
}

/** Done, found, failed, how fast, and what is left. */
function stateOf({ completed, failed, total }: RunNews["run"], atStart: number, seconds: number): string {
  const done = completed + failed;
  const perSecond = seconds > 0 ? (done - atStart) / seconds : 0;
  const failures = failed > 0 ? `, ${failed} failed` : "";
  const rate =
    perSecond > 0 ? `, ${perSecond.toFixed(1)} pages/s, ${leftOf((total - done) / perSecond)} left` : "";
  return `${done} of ${total}${failures}${rate}`;
}

function leftOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
