// The motion so far as a drawing, in the form in which reports hold theirs.

import type { BodyState } from "nodrift/bodies";
import { type ModelFile, timeUnit, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { FOR_EVER } from "../../src/tools/report/absences.js";
import { encodeFrames } from "../../src/tools/report/encode.js";
import { framesOf } from "../../src/tools/report/frames.js";
import type { SceneData } from "../../src/tools/report/page-data.js";
import { sceneOf } from "../../src/tools/report/scene.js";

/** Characters of all poses: nothing is written to a file here. */
const ROOM = 8e6;

export function drawn(file: ModelFile, solution: Solution<BodyState>): SceneData {
  const data = file.model.data();
  const { units, view = {}, modes = [] } = file.settings;
  const { events } = solution;
  const absences = events.flatMap(({ mode, time }, i) => {
    const { without = [] } = modes.find(({ name }) => name === mode) ?? {};
    const to = events[i + 1]?.time ?? FOR_EVER;
    return without.map((name) => ({ name, from: time, to }));
  });
  const frames = framesOf(solution.states(), data, {
    events,
    absences,
    lengthUnit: unitOf("length", units),
    timeUnit: timeUnit(units),
  });
  const scene = sceneOf(data, frames, view);
  const { extremes } = scene.view;
  const extent = [0, 1, 2].map((i) => {
    const along = extremes.map((point) => point[i]!);
    return along.length === 0 ? 0 : Math.max(...along) - Math.min(...along);
  });
  const bodies = scene.frames.positions.length / 3 / scene.frames.times.length;
  return {
    ...scene,
    frames: encodeFrames(scene.frames, bodies, Math.hypot(...extent), ROOM),
  };
}
