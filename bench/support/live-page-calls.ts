// Calls of the figures of live models in a page.

import { spawn } from "nodrift/worker";
import { seeded } from "../../test/support/random.js";

export { play } from "./live-play.js";

/** A body at rest in empty space, which moves only when it is pushed. */
const RESTING = {
  nodrift: 1,
  name: "resting",
  units: "SI",
  gravity: [0, 0, 0],
  bodies: [{ name: "puck", mass: 1, inertia: [1, 1, 1] }],
};

/** Frames from a push to the first with another velocity: the maximum of 200 pushes at random times. */
export async function latency(): Promise<number> {
  const live = await spawn(RESTING);
  const random = seeded(3);
  let most = 0;
  for (let i = 0; i < 200; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20 * (random() + 1)));
    const [from, velocity] = [live.frame, live.v[0]];
    void live.push("puck", { force: [1, 0, 0] });
    for await (const { v } of live) if (v[0] !== velocity) break;
    most = Math.max(most, live.frame - from);
  }
  live.dispose();
  return most;
}

/** Missing frames among a thousand at 60 Hz, with steps of 3 ms each; and the longest gap between two, in ms. */
export async function dropped(): Promise<{ frames: number; gap: number }> {
  const live = await spawn("/build/bench/support/loaded-model.js", { rate: 60 });
  let [before, gap] = [performance.now(), 0];
  for await (const { frame } of live) {
    const now = performance.now();
    gap = Math.max(gap, now - before);
    before = now;
    if (frame + live.skippedFrames > 1000) break;
  }
  const frames = live.skippedFrames;
  live.dispose();
  return { frames, gap };
}
