import { solve } from "nodrift/solve";
import { controlledArm, controlledArmTwin, SAMPLE_PERIOD } from "../support/controlled-arm.js";
import { atMost, type Figure } from "./figure.js";

const SAMPLES = [100, 250, 500, 1000];

/** An arm under PI control sampled at 1 kHz, compared with an independent solution as one differential equation. */
export async function* liveControllerFigures(): AsyncGenerator<Figure> {
  const twin = controlledArmTwin(SAMPLES);
  for (const coordinates of ["relative", "maximal"] as const) {
    const system = await controlledArm({ coordinates });
    const times = SAMPLES.map((sample) => sample * SAMPLE_PERIOD);
    const found = solve(system, { span: [0, 1], tolerance: 1e-11, output: { times } });
    let worst = found.status === "finished" ? 0 : Number.POSITIVE_INFINITY;
    for (const [i, [first, second]] of twin.entries()) {
      const state = found.state(i);
      worst = Math.max(
        worst,
        Math.abs(state.joint("J1").angle! - first!),
        Math.abs(state.joint("J2").angle! - second!),
      );
    }
    yield atMost(`live, PI arm at 1 kHz in ${coordinates} coordinates: angles, rad`, worst, 1e-9);
    const simulation = system.simulate({ step: SAMPLE_PERIOD }).runTo(1);
    const [first, second] = twin.at(-1)!;
    const left = Math.max(
      Math.abs(simulation.joint("J1").angle! - first!),
      Math.abs(simulation.joint("J2").angle! - second!),
    );
    yield atMost(`live, the same in steps of 1 ms (${coordinates})`, left, 1e-9);
  }
}
