// Models of the gallery against known results: loop geometry, force balances, published values.

import { type BodyState, equilibrium, linearise } from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { rollingDiskCentre } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { expect, test } from "vitest";
import { RIDE } from "../../site/models/bicycle.js";
import { CHAIN } from "../../site/models/chain-1000.js";
import { DIFFERENTIAL } from "../../site/models/differential.js";
import { impactTime, wedgeSag } from "../../site/models/drop-hammer.js";
import { ENGINE, pistonHeight, THROWS } from "../../site/models/engine.js";
import { boomAngle, CYLINDERS, cylinderLength, stickAngle } from "../../site/models/excavator.js";
import { POLES } from "../../site/models/furuta.js";
import { GENEVA, genevaAngle } from "../../site/models/geneva-drive.js";
import { KLANN_SPEED, klannPose } from "../../site/models/klann-walker.js";
import { LINKS, robot, STIFFNESS } from "../../site/models/robot.js";
import { liftHeight, liftWidth } from "../../site/models/scissor-lift.js";
import { platformPose } from "../../site/models/stewart-platform.js";
import { STICK_SLIP, slipPeriod } from "../../site/models/stick-slip.js";
import { camber, LOADS } from "../../site/models/suspension.js";
import { bicyclePolynomial } from "../support/bicycle.js";
import { run } from "./support.js";

/** Generic times within a span. */
const SAMPLE_TIMES = [0.137, 0.361, 0.523, 0.709, 0.911];

test("scissor lift: height is n sqrt(L^2 - w^2), and the push follows from virtual work", async () => {
  const { solution } = await run("scissor-lift", {
    output: { times: SAMPLE_TIMES.map((x) => 6 * x) },
  });
  const h = 1e-4;
  for (const state of solution.states()) {
    const t = state.time;
    expect(state.body("platform").position[2]).toBeCloseTo(liftHeight(liftWidth(t)), 9);
    // The power of the cylinder is the rate of the total energy: nothing else does work.
    const [before, after] = [t - h, t + h].map((time) => solution.status && energyAt(time));
    const power =
      state.joint("cylinder").driveForce! * ((liftWidth(t + h) - liftWidth(t - h)) / (2 * h));
    expect(power).toBeCloseTo((after! - before!) / (2 * h), 2);
  }

  /** Energy of arms and platform from the arm angle: the centre of each arm is at mid-height of its stage. */
  function energyAt(t: number): number {
    const [mass, arm, platform, length] = [4, 6, 60, 1.2];
    const w = liftWidth(t);
    const dw = (liftWidth(t + 1e-5) - liftWidth(t - 1e-5)) / 2e-5;
    const rise = Math.sqrt(length ** 2 - w ** 2);
    const dRise = (-w * dw) / rise;
    const turning = dw / rise;
    const middles = [0.5, 0.5, 1.5, 1.5, 2.5, 2.5];
    const arms = middles.reduce(
      (sum, k) =>
        sum +
        mass * 9.81 * k * rise +
        (mass / 2) * ((dw / 2) ** 2 + (k * dRise) ** 2) +
        (mass * length ** 2 * turning ** 2) / 24,
      0,
    );
    expect(middles).toHaveLength(arm);
    return arms + platform * 9.81 * 3 * rise + (platform / 2) * (3 * dRise) ** 2;
  }
});

test("differential: wheels share the torque, and the case rotates at their mean speed", async () => {
  const { solution } = await run("differential", { span: [0, 6] });
  const { torque, left, right } = DIFFERENTIAL;
  for (const state of solution.states()) {
    const [a, b, mean] = ["left wheel", "right wheel", "case"].map(
      (name) => state.body(name).angularVelocity[0],
    );
    expect(a! + b!).toBeCloseTo(2 * mean!, 9);
  }
  expect(solution.end.body("left wheel").angularVelocity[0]).toBeCloseTo(torque / 2 / left, 4);
  expect(solution.end.body("right wheel").angularVelocity[0]).toBeCloseTo(torque / 2 / right, 4);
});

test("Klann's walker: pins are at the intersections of circles, over a full revolution", async () => {
  const { solution, file } = await run("klann-walker", {
    output: { times: SAMPLE_TIMES.map((x) => 2.1 * x) },
  });
  const [first] = solution.states();
  expect(first!.time).toBeCloseTo(2.1 * SAMPLE_TIMES[0]!, 12);
  const traces = file.settings.view!.traces!;
  for (const state of solution.states()) {
    for (const [i, start] of [0, Math.PI].entries()) {
      // A rotation about y takes z to x: angles in the x-z plane have the opposite sense.
      const { foot } = klannPose(start + KLANN_SPEED * state.time);
      const { body, point } = traces[i]!;
      const [x, y, z] = state.body(body).point(point!);
      expect([x, z]).toEqual([expect.closeTo(foot[0], 8), expect.closeTo(foot[1], 8)]);
      expect(y).toBeCloseTo(0, 12);
    }
  }
});

test("Stewart platform: the pose matches the one that the leg lengths were computed from", async () => {
  const { solution } = await run("stewart-platform", {
    output: { times: SAMPLE_TIMES.map((x) => 4 * x) },
  });
  for (const state of solution.states()) {
    const { height, turn } = platformPose(state.time);
    const platform = state.body("platform");
    const [x, y, z] = platform.position;
    expect([x, y, z]).toEqual([
      expect.closeTo(0, 8),
      expect.closeTo(0, 8),
      expect.closeTo(height, 8),
    ]);
    const [cos, , , sin] = platform.orientation;
    expect(2 * Math.atan2(sin!, cos!)).toBeCloseTo(turn, 8);
  }
});

test("engine: pistons match the slider-crank formula; the ground force matches all accelerations", async () => {
  const { solution } = await run("engine", { output: { times: SAMPLE_TIMES.map((x) => 0.2 * x) } });
  for (const state of solution.states()) {
    for (const [i, offset] of THROWS.entries()) {
      const height = pistonHeight(offset + ENGINE.speed * state.time);
      expect(state.body(`piston ${i + 1}`).position[2]).toBeCloseTo(height, 9);
    }
    // Newton's law for the whole engine, with accelerations by the formula; the rods have their centres in the middle.
    const h = 1e-5;
    const second = (f: (t: number) => number) =>
      (f(state.time + h) - 2 * f(state.time) + f(state.time - h)) / h ** 2;
    const force = THROWS.reduce((sum, offset) => {
      const piston = second((t) => pistonHeight(offset + ENGINE.speed * t));
      const crank = second((t) => ENGINE.radius * Math.cos(offset + ENGINE.speed * t));
      return sum + ENGINE.piston * piston + (ENGINE.rodMass * (piston + crank)) / 2;
    }, 0);
    const weight = 9.81 * (12 + 4 * (ENGINE.piston + ENGINE.rodMass));
    const joints = ["main bearing", "cylinder 1", "cylinder 2", "cylinder 3", "cylinder 4"];
    const carried = joints.reduce((sum, name) => sum + state.joint(name).force()[2]!, 0);
    expect((carried - weight) / force).toBeCloseTo(1, 4);
  }
});

test("excavator: angles match the law of cosines", async () => {
  const { solution } = await run("excavator", {
    output: { times: SAMPLE_TIMES.map((x) => 4 * x) },
  });
  const [boom, stick] = CYLINDERS;
  for (const state of solution.states()) {
    const t = state.time;
    const turned = boomAngle(cylinderLength(boom, t)) - boomAngle(cylinderLength(boom, 0));
    expect(Math.abs(state.joint("boom foot").angle!)).toBeCloseTo(Math.abs(turned), 8);
    const folded = stickAngle(cylinderLength(stick, t)) - stickAngle(cylinderLength(stick, 0));
    expect(Math.abs(state.joint("boom end").angle!)).toBeCloseTo(Math.abs(folded), 8);
  }
});

test("suspension: the camber is that of a four-bar; at rest the tyre carries the weight", async () => {
  const { system, solution } = await run("suspension", { span: [0, 0.5] });
  for (const state of solution.states()) {
    const [w, x] = state.body("wheel").orientation;
    expect(2 * Math.atan2(x!, w!)).toBeCloseTo(camber(state.joint("lower inner").angle!), 8);
  }
  const { body, lower, upper, upright, gravity } = LOADS;
  const { state: rest } = equilibrium(system);
  const weight = gravity * (body + lower + upper + upright);
  expect(rest.force("tyre").force()[2]).toBeCloseTo(weight, 5);
});

test("bicycle: eigenvalues match Meijaard et al., and all are stable at this speed", async () => {
  const { system } = await run("bicycle", { span: [0, 0.2] });
  // det(M s^2 + v C1 s + g K0 + v^2 K2) of their table.
  const [a0, a1, a2, a3, a4] = bicyclePolynomial(RIDE);
  const found = linearise(system.without("push").simulate({ step: 1e-3 }));
  // The others are zeros, of position, heading and speed.
  const eigenvalues = found.eigenvalues.filter(({ re, im }) => Math.hypot(re, im) > 1e-6);
  for (const { re, im } of eigenvalues) {
    const power = (n: number) => {
      let [x, y] = [1, 0];
      for (let k = 0; k < n; k++) [x, y] = [x * re - y * im, x * im + y * re];
      return [x, y] as const;
    };
    const terms = [a0, a1, a2, a3, a4].map((a, n) => power(n).map((part) => a! * part));
    const size = terms.reduce((sum, [x, y]) => sum + Math.hypot(x!, y!), 0);
    const value = Math.hypot(
      terms.reduce((sum, [x]) => sum + x!, 0),
      terms.reduce((sum, [, y]) => sum + y!, 0),
    );
    expect(value / size).toBeLessThan(1e-7);
  }
  expect(eigenvalues).toHaveLength(4);
  expect(Math.max(...eigenvalues.map(({ re }) => re))).toBeLessThan(0);
});

test("rolling coin: the centre follows the known circle", async () => {
  const { solution } = await run("rolling-coin", {
    output: { times: SAMPLE_TIMES.map((x) => 6 * x) },
  });
  for (const state of solution.states()) {
    const { position } = state.body("disk");
    for (const [i, x] of rollingDiskCentre(state.time).entries()) {
      expect(position[i]).toBeCloseTo(x, 7);
    }
  }
});

test("a thousand rods: a released level chain falls freely except near its fixed end, and conserves energy", async () => {
  const { system } = await run("chain-1000", { span: [0, 1e-4] });
  const simulation = system.simulate({ step: 1e-3 });
  const before = simulation.energy().total;
  simulation.advance(5);
  const { kinetic, total } = simulation.energy();
  expect(Math.abs(total - before) / kinetic).toBeLessThan(1e-6);
  // The support affects only a few rods: the rest has the speed g t.
  const { velocity } = simulation.body(`rod ${CHAIN.rods}`);
  expect(velocity[2]).toBeCloseTo(-9.81 * simulation.time, 9);
});

test("Furuta pendulum: poles match the design, and it comes to rest upright", async () => {
  const { system, solution } = await run("furuta", { output: "ends" });
  expect(solution.end.joint("pivot").angle).toBeCloseTo(0, 4);
  expect(solution.end.joint("shoulder").angle).toBeCloseTo(0, 4);
  const { eigenvalues } = linearise(system.startingAt({ pivot: 0 }).simulate({ step: 1e-3 }));
  for (const pole of POLES) {
    const nearest = eigenvalues.map(({ re, im }) => Math.hypot(re - pole.re, im - pole.im));
    expect(Math.min(...nearest)).toBeLessThan(1e-4);
  }
});

test("robot: at rest each motor carries the weights outboard of it", async () => {
  const file = readDocument(robot([0.3, 0.5, -0.4, 0.6, 0.2, 0]));
  const system = await file.compile();
  const { end } = solve(system, { span: [0, 8], tolerance: 1e-8, output: "ends" });
  for (const [i, { name, axis }] of LINKS.entries()) {
    const joint = end.joint(`axis ${i + 1}`);
    const target = [0.3, 0.5, -0.4, 0.6, 0.2, 0][i]!;
    // Moment of the weights about the present axis in the world.
    const body = end.body(name);
    const from = LINKS[i]!.from.map((x, k) => x - (LINKS[i]!.from[k]! + LINKS[i]!.to[k]!) / 2);
    const pivot = body.point(from as unknown as readonly [number, number, number]);
    const tip = body.point(
      from.map((x, k) => x + axis[k]!) as unknown as readonly [number, number, number],
    );
    const direction = [0, 1, 2].map((k) => tip[k]! - pivot[k]!);
    const moment = LINKS.slice(i).reduce((sum, link) => {
      const { position } = end.body(link.name);
      const [x, y] = [position[0]! - pivot[0]!, position[1]! - pivot[1]!];
      // r x (0, 0, -m g)
      return sum - link.mass * 9.81 * (y * direction[0]! - x * direction[1]!);
    }, 0);
    expect(STIFFNESS[i]! * (target - joint.angle!)).toBeCloseTo(-moment, 4);
  }
});

test("Geneva drive: the slot points to the pin, and the wheel stands in between", async () => {
  const { speed, crank, distance } = GENEVA;
  const { solution } = await run("geneva-drive", {
    span: [0, 4],
    output: { rate: 50 },
    dense: true,
  });
  expect(solution.status).toBe("finished");
  for (const state of solution.states()) {
    // The pin starts below, a quarter turn before the line of the axes; hinge angles have the opposite sense.
    const known = genevaAngle(speed * state.time - Math.PI / 2);
    expect(state.joint("axle").angle).toBeCloseTo(-known, 6);
  }
  const fastest = solution.at(Math.PI / 2 / speed).joint("axle").angleRate!;
  expect(fastest / speed).toBeCloseTo(crank / (distance - crank), 5);
});

test("stick and slip: the period is that of Coulomb's law with static friction", async () => {
  const { speed } = STICK_SLIP;
  const slip = (state: BodyState) => state.body("block").velocity[0]! - speed / 2;
  const { solution } = await run("stick-slip", {
    span: [0, 5],
    events: [{ name: "slip", when: slip, direction: "falling" }],
    output: "ends",
  });
  const times = solution.events.filter(({ name }) => name === "slip").map(({ time }) => time);
  expect(times.length).toBeGreaterThanOrEqual(3);
  for (const [i, time] of times.slice(1).entries()) {
    expect(Math.abs(time - times[i]! - slipPeriod()) / slipPeriod()).toBeLessThan(0.01);
  }
});

test("drop hammer: impact times match their series, it comes to rest, and the wedge does not creep", async () => {
  const { solution } = await run("drop-hammer");
  expect(solution.status).toBe("finished");
  const times = solution.events
    .filter(({ name }) => name === "anvil: lower")
    .map(({ time }) => time);
  expect(times.length).toBeGreaterThanOrEqual(8);
  for (const [i, time] of times.slice(0, 8).entries()) {
    expect(Math.abs(time - impactTime(i + 1))).toBeLessThan(1e-6);
  }
  expect(solution.end.body("hammer").position[2]).toBeCloseTo(0, 6);
  expect(Math.abs(solution.end.body("hammer").velocity[2]!)).toBeLessThan(1e-6);
  const way = (time: number) => solution.at(time).joint("ramp").displacement!;
  expect(way(3) / wedgeSag()).toBeCloseTo(1, 4);
  expect(Math.abs(way(3) - way(1.5))).toBeLessThan(1e-9);
});
