// Report with all features, and with hostile texts.

import { box, model, rod } from "nodrift/bodies";
import { type Block, type Frames, sceneOf } from "../../../src/report/index.js";

export const HOSTILE = `</script><img src="http://127.0.0.1:9/x.png" onerror="document.title='hit'">`;

/** Returns blocks with an oscillating slider and a rotating rod for 4 s, and a spring that is absent after 3 s. */
export function blocks(): Block[] {
  const m = model({ name: HOSTILE });
  const slider = m.body({ name: HOSTILE, mass: 1, shape: box({ x: 0.4, y: 0.2, z: 0.2 }) });
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] }) });
  m.prismatic({ between: [m.ground, slider], axis: [1, 0, 0] });
  m.revolute({ between: [slider, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  m.spring({ name: "spring", between: [m.ground, slider], atA: [-2, 0, 0], stiffness: 1 });
  const times = Array.from({ length: 101 }, (_, i) => i / 25);
  const frames: Frames = {
    times,
    positions: times.flatMap((t) => [Math.sin(t), 0, 0, Math.sin(t), 0, 0]),
    orientations: times.flatMap((t) => [1, 0, 0, 0, Math.cos(t), 0, Math.sin(t), 0]),
    events: [{ time: 3, name: HOSTILE }],
    absences: [{ name: "spring", from: 3, to: 5 }],
    lengthUnit: "m",
    timeUnit: "s",
  };
  const axis = { label: HOSTILE, unit: "m" };
  const sine = { name: HOSTILE, x: times, y: times.map(Math.sin) };
  const circle = { name: "circle", x: times.map(Math.cos), y: times.map(Math.sin), points: true };
  return [
    { kind: "facts", facts: [{ label: HOSTILE, value: "1", tone: "good" }] },
    { kind: "animation", scene: sceneOf(m.data(), frames, { traces: [{ body: "arm" }] }) },
    {
      kind: "plot",
      plot: {
        title: HOSTILE,
        x: { label: "t", unit: "s" },
        y: axis,
        series: [sine],
        marks: [{ x: 3, label: HOSTILE }],
        synced: true,
      },
    },
    { kind: "plot", plot: { title: "circle", x: axis, y: axis, series: [circle] } },
    { kind: "table", title: HOSTILE, columns: [{ name: HOSTILE }], rows: [[HOSTILE]] },
  ];
}
