import { pageCall } from "../support/live-page.js";
import { atMost, type Figure } from "./figure.js";

/** A worker in Chromium: latency of commands, and missed frames. Without a browser nothing is measured. */
export async function* liveWorkerFigures(): AsyncGenerator<Figure> {
  const latency = await pageCall<number>("latency");
  if (latency === undefined) return;
  yield atMost("live, worker: frames from a command to the first that shows it", latency, 2);
  const { frames } = (await pageCall<{ frames: number }>("dropped"))!;
  yield atMost("live, worker: of 1000 frames at 60 Hz with steps of 3 ms, dropped", frames, 0);
}
