// A mechanism with random user interaction: values are set, bodies pushed and dragged.

import { type BodySimulation, compile, type Grip, type Model, model, rod } from "nodrift/bodies";
import { seeded } from "../../test/support/random.js";

/** Two rods on hinges and a spring, with a parameter. */
export function toy(): Model {
  const m = model({ name: "toy" });
  const k = m.parameter("k", 20);
  const a = m.body({ name: "a", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const b = m.body({ name: "b", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -1.5] });
  m.revolute({ name: "hip", between: [m.ground, a], at: [0, 0, 0], axis: [0, 1, 0] });
  m.revolute({ name: "knee", between: [a, b], at: [0, 0, -1], axis: [0, 1, 0] });
  m.spring({ name: "s", between: [m.ground, b], atA: [1, 0, -1], stiffness: k, damping: 1 });
  return m;
}

/** A player: each call of `act` does one thing to the simulation. */
export class Player {
  readonly #simulation: BodySimulation;
  readonly #random: () => number;
  #grip: Grip | undefined;

  constructor(simulation: BodySimulation, seed: number) {
    this.#simulation = simulation;
    this.#random = seeded(seed);
  }

  act(): void {
    const [simulation, random] = [this.#simulation, this.#random];
    switch (Math.floor(3 * (random() + 1))) {
      case 0:
        simulation.set({ k: 20 + 10 * random() });
        break;
      case 1:
        simulation.set("a", { mass: 1.5 + random() });
        break;
      case 2:
        simulation.push("b", { force: [5 * random(), 0, 5 * random()], for: 0.1 });
        break;
      case 3:
        this.#grip ??= simulation.grab("b", [0, 0, -0.5], { maximumForce: 200 });
        this.#grip.moveTo([random(), 0, random() - 1]);
        break;
      case 4:
        this.#grip?.release();
        this.#grip = undefined;
        break;
      default:
        simulation.set("s", { damping: 2 + random() });
    }
  }
}

/** Ten minutes at 240 Hz, and their commands. */
export const PLAY = { step: 1 / 240, steps: 600 * 240, commands: 1000 } as const;

/** A session of ten minutes: its last state, and that of its replay. Identical bits in every engine. */
export async function play(): Promise<{ time: number; first: number[]; again: number[] }> {
  const { step, steps, commands } = PLAY;
  const system = await compile(toy());
  const live = system.simulate({ step });
  const recording = live.record({ every: 2400, snapshots: 4 });
  const player = new Player(live, 7);
  const random = seeded(11);
  for (let done = 0, command = 0; command < commands; command++) {
    const gap = Math.floor((steps / commands) * (1 + random() / 2));
    const count = command === commands - 1 ? steps - done : Math.min(gap, steps - done);
    player.act();
    live.advance(count);
    done += count;
  }
  const again = system.simulate({ step }).replay(structuredClone(recording.stop()));
  const numbers = ({ q, v }: BodySimulation) => [...q, ...v];
  return { time: live.time, first: numbers(live), again: numbers(again) };
}
