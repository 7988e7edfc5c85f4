// A bar while something runs, for people who watch. Others see nothing of it.

import cliProgress from "cli-progress";
import { duration, short } from "./numbers.js";
import type { Terminal } from "./terminal.js";

/** Tells how far something is. */
export interface Bar {
  /** From 0 to 1, and what else is worth telling. */
  update(fraction: number, text: string): void;
  /** Takes the bar away. */
  stop(): void;
}

const SILENT: Bar = { update: () => {}, stop: () => {} };
const RESOLUTION = 1000;

/** A bar on the terminal; none where nobody watches, or for `--quiet`. */
export function progressBar({ isWatched }: Terminal, isQuiet: boolean | undefined): Bar {
  if (!isWatched || isQuiet) return SILENT;
  const began = performance.now();
  const bar = new cliProgress.SingleBar(
    {
      format: "{bar} {percentage}%  {text}  {left}",
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
      fps: 12,
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(RESOLUTION, 0, { text: "", left: "" });
  return {
    update(fraction, text) {
      const seconds = (performance.now() - began) / 1000;
      const left = fraction > 0 ? `${duration(seconds / fraction - seconds)} left` : "";
      bar.update(Math.round(RESOLUTION * Math.min(Math.max(fraction, 0), 1)), { text, left });
    },
    stop: () => bar.stop(),
  };
}

/** What a run tells beside its bar. */
export function runText(progress: {
  readonly time: number;
  readonly step: number;
  readonly steps: number;
  readonly seconds: number;
}): string {
  const { time, step, steps, seconds } = progress;
  const rate = seconds > 0 ? `${short(steps / seconds)} steps/s` : "";
  return `t = ${short(time, 4)}  step ${short(Math.abs(step))}  ${rate}`;
}
