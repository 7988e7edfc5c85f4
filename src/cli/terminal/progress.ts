// A progress bar, for interactive terminals only.

import cliProgress from "cli-progress";
import { duration } from "../../report/numbers.js";
import type { Bar } from "./terminal.js";

const RESOLUTION = 1000;

/** A bar on standard error. */
export function progressBar(): Bar {
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
