// States that others set, steps that fail, and input that makes no sense.

import { equations, rk4, type Simulation, simulate, udwadiaKalaba } from "nodrift";
import { type Realtime, type RealtimeOptions, realtime, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const method = { formulation: udwadiaKalaba(), integrator: rk4() };

/** A mass that moves at a constant speed, until its force breaks. */
const glider = (broken: (t: number) => boolean = () => false) =>
  equations({
    name: "gliding",
    coordinates: ["x"],
    mass: [1],
    forces: (_q, _v, out, t) => {
      out[0] = broken(t) ? Number.NaN : 0;
    },
  });

function gliding(step: number, broken?: (t: number) => boolean): Simulation {
  return simulate(glider(broken), { method, step, q: [0], v: [1] });
}

const drawn = (loop: Realtime) => [loop.time, ...loop.q, ...loop.v];
const present = ({ time, q, v }: Simulation) => [time, ...q, ...v];

describe("a state that was set", () => {
  /** Half-way between the states at 0.3 and 0.4. */
  function halfway() {
    const simulation = gliding(0.1);
    const loop = realtime(simulation);
    for (let i = 0; i < 9; i++) loop.advance(0.05);
    expect(loop.q[0]).toBeCloseTo(0.35, 12);
    return { simulation, loop };
  }
  const changes: Record<string, (simulation: Simulation) => void> = {
    setState: (simulation) => simulation.setState([100], [1]),
    "setState of velocities alone": (simulation) => simulation.setState(simulation.q, [-1]),
    restore: (simulation) => {
      const snapshot = simulation.save();
      simulation.advance(50);
      const later = simulation.save();
      simulation.restore(snapshot);
      simulation.restore(later);
    },
    "a step by hand": (simulation) => simulation.advance(),
    runTo: (simulation) => simulation.runTo(7.123),
    setStep: (simulation) => simulation.setStep(0.2),
  };

  test.each(Object.entries(changes))("a state set by %s is drawn as it is", (_, change) => {
    const { simulation, loop } = halfway();
    change(simulation);
    const [, x, v] = present(simulation);
    expect(loop.advance(0)).toBe(0);
    expect(drawn(loop)).toEqual(present(simulation));
    // The time saved up is still there, and the next step begins at the new state.
    const rest = 0.05;
    expect(loop.advance(simulation.step)).toBe(1);
    expect(loop.q[0]).toBeCloseTo(x + v * rest, 9);
    expect(loop.droppedTime).toBe(0);
  });

  test("a state set at rest is drawn at its own time", () => {
    const { simulation, loop } = halfway();
    simulation.setState([3], [0]);
    loop.reset();
    simulation.advance(7);
    loop.advance(0);
    expect(drawn(loop)).toEqual([simulation.time, 3, 0]);
  });

  test("a state set during a pause is drawn", () => {
    const { simulation, loop } = halfway();
    loop.paused = true;
    simulation.setState([100], [2]);
    loop.advance(0.1);
    expect(drawn(loop)).toEqual([simulation.time, 100, 2]);
  });

  test("after each step is where the next one begins, and no step is drawn as a jump", () => {
    const simulation = gliding(0.1);
    const loop = realtime(simulation);
    for (let i = 0; i < 100; i++) {
      loop.advance(0.07, () => {
        if (simulation.q[0] > 1) simulation.setState([simulation.q[0] - 1], simulation.v);
      });
      expect(loop.q[0]).toBeLessThan(1.1);
      expect(loop.v[0]).toBe(1);
      // Between 1 and 0 there is no motion: what is drawn lies within a step of the present.
      const x = simulation.q[0];
      const gap = Math.abs(loop.q[0] - x);
      expect(Math.min(gap, Math.abs(gap - 1))).toBeLessThan(0.1 + 1e-9);
    }
  });

  test("reset clears the accumulated and the dropped time", () => {
    const { simulation, loop } = halfway();
    loop.advance(1000);
    expect(loop.droppedTime).toBeGreaterThan(900);
    simulation.setState([5], [2]);
    loop.reset();
    expect(drawn(loop)).toEqual([simulation.time, 5, 2]);
    expect([loop.fraction, loop.droppedTime, loop.lastDroppedTime]).toEqual([0, 0, 0]);
    expect(loop.advance(0.099)).toBe(0);
    expect(loop.advance(0.001)).toBe(1);
  });
});

describe("a step that fails", () => {
  test("leaves the last good state, drawn as it is; the loop continues when it can", () => {
    let end = Number.POSITIVE_INFINITY;
    const simulation: Simulation = gliding(0.1, (t) => t > end + 0.05 + 1e-9);
    const loop = realtime(simulation, { maximumSteps: 100 });
    loop.advance(0.25);
    end = 0.35;
    expect(() => loop.advance(1)).toThrow(/gliding.*force/s);
    expect(simulation.time).toBeCloseTo(0.4, 12);
    expect(drawn(loop)).toEqual(present(simulation));
    expect(loop.lastDroppedTime).toBeCloseTo(1.25 - 0.4, 12);
    expect(() => loop.advance(0.15)).toThrow(/gliding/);
    expect(() => loop.advance(0.05)).not.toThrow();
    expect(drawn(loop)).toEqual(present(simulation));
    end = Number.POSITIVE_INFINITY;
    expect(loop.advance(0.3)).toBe(3);
    expect(loop.lastDroppedTime).toBe(0);
    expect(simulation.time + 0.1 * loop.fraction + loop.droppedTime).toBeCloseTo(1.75, 12);
    expect(loop.q[0]).toBeCloseTo(loop.time, 12);
  });

  test("a user function that fails keeps the step before it", () => {
    const simulation = gliding(0.1);
    const loop = realtime(simulation);
    const stop = () => {
      if (simulation.time > 0.25) throw new RangeError("enough");
    };
    expect(() => loop.advance(0.55, stop)).toThrow(new RangeError("enough"));
    expect(simulation.time).toBeCloseTo(0.3, 12);
    expect(drawn(loop)).toEqual(present(simulation));
    expect(loop.droppedTime).toBeCloseTo(0.25, 12);
  });
});

/** A value as messages show it. */
const shown = (value: unknown) => (typeof value === "string" ? `"${value}"` : String(value));

describe("input", () => {
  test.each([
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    undefined,
    "0.1",
    null,
  ])("frame time %s is rejected, and nothing is lost", (frame) => {
    const simulation = gliding(0.1);
    const loop = realtime(simulation);
    loop.advance(0.17);
    const before = [...drawn(loop), ...present(simulation), loop.fraction, loop.droppedTime];
    expect(() => loop.advance(frame as number)).toThrow(
      `advance: the frame time is ${shown(frame)}; give the seconds since the last call`,
    );
    loop.paused = true;
    expect(() => loop.advance(frame as number)).toThrow("frame time");
    expect([...drawn(loop), ...present(simulation), loop.fraction, loop.droppedTime]).toEqual(
      before,
    );
  });

  test.each([
    ["steps", () => realtime(gliding(0.001), { maximumSteps: 1000 })],
    [
      "a run",
      () => realtime(start(glider(), { span: [0, 10], maximumStep: 0.01, q: [0], v: [1] })),
    ],
  ])("a loop of %s started by performance.now(), which is ahead of the first frame", (_, make) => {
    const loop = make();
    let last = 1020;
    for (const now of [1000, 1016, 1032, 1030, 1048]) {
      loop.advance((now - last) / 1000);
      last = now;
    }
    // Frames of 16, 16 and 18 ms passed; those of -20 and -2 ms removed no time. The drawn state is up to a step of 1
    // ms earlier.
    expect(loop.time).toBeGreaterThan(0.05 - 0.001 - 1e-12);
    expect(loop.time).toBeLessThan(0.05 + 1e-12);
    expect(loop.q[0]).toBeCloseTo(loop.time, 12);
    expect(loop.droppedTime).toBe(0);
  });

  test("a frame that overflows at its speed is rejected", () => {
    const loop = realtime(gliding(0.1), { speed: 1e10 });
    expect(() => loop.advance(1e300)).toThrow("1e+300 s at a speed of 10000000000 overflow");
    expect([loop.droppedTime, loop.time]).toEqual([0, 0]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "2"])("speed %s is rejected", (speed) => {
    const loop = realtime(gliding(0.1), { speed: 0.5 });
    expect(() => {
      loop.speed = speed as number;
    }).toThrow(`speed is ${shown(speed)}; give 0 or more: 1 is real time`);
    expect(loop.speed).toBe(0.5);
    expect(() => realtime(gliding(0.1), { speed: speed as number })).toThrow("speed is");
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "8"])(
    "maximumSteps %s is rejected",
    (maximumSteps) => {
      const options = { maximumSteps } as RealtimeOptions;
      expect(() => realtime(gliding(0.1), options)).toThrow(
        `maximumSteps is ${shown(maximumSteps)}; give an integer >= 1`,
      );
    },
  );

  test.each([undefined, null, {}, 3])("%s instead of a simulation is rejected", (simulation) => {
    expect(() => realtime(simulation as unknown as Simulation)).toThrow(
      "realtime takes a simulation",
    );
  });

  test("a system given by functions has no matrices of bodies", () => {
    const loop = realtime(gliding(0.1));
    expect(() => loop.matrix("x", new Float32Array(16))).toThrow("matrix is for mechanisms");
  });
});
