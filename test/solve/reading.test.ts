// How a solution is read: by number, by name, as text; and bodies and joints by theirs.

import { compile, model, sphere } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, difference, onCircle, oscillator } from "./support/systems.js";

const turning = { span: [0, 2], ...onCircle(3) } as const;

describe("states and columns", () => {
  const solution = solve(circle(["x", "y"]), turning);

  test("states are read by index", () => {
    expect([...solution.states()].map(({ time }) => time)).toEqual([...solution.time]);
    for (const index of [-1, solution.length, 0.5, Number.NaN]) {
      expect(() => solution.state(index)).toThrow(
        `there is no state ${index}; there are ${solution.length}`,
      );
    }
  });

  test("states are independent copies", () => {
    solution.state(1).q.fill(7);
    expect(Math.hypot(...solution.state(1).q)).toBeCloseTo(1, 12);
  });

  test("columns are read by name and by function", () => {
    expect(solution.names).toEqual(["x", "y", "x'", "y'"]);
    const states = [...solution.states()];
    expect([...solution.column("y")]).toEqual(states.map(({ q }) => q[1]));
    expect([...solution.column("x'")]).toEqual(states.map(({ v }) => v[0]));
    const angle = solution.column(({ q }) => Math.atan2(q[1], q[0]));
    expect(angle[1]).toBeCloseTo(3 * solution.time[1], 6);
    expect(() => solution.column("z")).toThrow("no column is named \"z\": there are x, y, x', y'");
  });
});

describe("text", () => {
  const names = ['the "x"', "y, m"];
  const solution = solve(circle(names), turning);

  /** RFC 4180, read in the plainest way. */
  const parse = (text: string) =>
    text
      .split("\r\n")
      .slice(0, -1)
      .map((line) =>
        [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
          .map(([, cell]) => cell)
          .slice(0, 1 + 2 * names.length)
          .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
      );

  test("comma-separated values parse to the same numbers", () => {
    const [head, ...rows] = parse(solution.toCsv());
    expect(head).toEqual(["time", ...solution.names]);
    expect(rows.map((row) => row.map(Number))).toEqual(
      [...solution.states()].map(({ time, q, v }) => [time, ...q, ...v]),
    );
    expect([...solution.csvLines()].join("")).toBe(solution.toCsv());
  });

  test("tables have the requested columns", () => {
    const some = solution.toCsv({ columns: ["y, m"], separator: ";" }).split("\r\n");
    expect(some[0]).toBe("time;y, m");
    expect(some[2].split(";").map(Number)).toEqual([solution.time[1], solution.state(1).q[1]]);
    const made = solution.toCsv({ columns: { speed: ({ v }) => Math.hypot(...v) } }).split("\r\n");
    expect(made[0]).toBe("time,speed");
    expect(Number(made[1].split(",")[1])).toBe(3);
    expect(() => solution.toCsv({ columns: ["z"] })).toThrow(/no column is named "z"/);
  });

  test("JSON parses to the same numbers", () => {
    const back = JSON.parse(JSON.stringify(solution));
    expect(back).toMatchObject({ status: "finished", method: solution.method, events: [] });
    expect(back.time).toEqual([...solution.time]);
    expect(Object.keys(back.columns)).toEqual(solution.names);
    for (const name of solution.names)
      expect(back.columns[name]).toEqual([...solution.column(name)]);
    expect(back.statistics).toEqual(solution.statistics);
    const { statistics, ...rest } = solution.toJSON();
    expect(back).toMatchObject(rest);
    expect(statistics.steps).toBe(solution.length - 1);
  });

  test("JSON has null for values that are not finite", () => {
    const silent = {
      ...oscillator(),
      description: { ...oscillator().description, potential: undefined },
    };
    const { statistics } = JSON.parse(
      JSON.stringify(solve(silent as never, { span: [0, 1], q: [1] })),
    );
    expect(statistics).not.toHaveProperty("energyError");
  });
});

describe("solution of a mechanism", async () => {
  /** A ball on an arm of 2 m that a motor turns with 12 t rad/s: three turns and more in 2 s. */
  const driven = () => {
    const m = model({ name: "driven arm", gravity: [0, 0, 0] });
    const ball = m.body({
      name: "ball",
      mass: 3,
      shape: sphere({ radius: 0.1 }),
      position: [2, 0, 0],
    });
    const hinge = m.revolute({
      name: "hinge",
      between: [m.ground, ball],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.driveAngle({
      name: "motor",
      joint: hinge,
      angle: { value: (t) => 6 * t ** 2, rate: (t) => 12 * t, acceleration: () => 12 },
    });
    return m;
  };
  const angleAt = (t: number) => 6 * t ** 2;
  const system = await compile(driven());
  const solution = solve(system, { span: [0, 2], tolerance: 1e-8 });

  test("columns of a body are those of its states", () => {
    const { position, velocity, angularVelocity, orientation, acceleration } =
      solution.body("ball");
    expect([position, velocity, angularVelocity, acceleration].map(({ length }) => length)).toEqual(
      [3, 3, 3, 3],
    );
    expect(orientation.length).toBe(4);
    solution.time.forEach((t, i) => {
      const [c, s] = [2 * Math.cos(angleAt(t)), 2 * Math.sin(angleAt(t))];
      expect(difference([position[0][i], position[1][i], position[2][i]], [c, s, 0])).toBeLessThan(
        1e-12,
      );
      expect(difference([velocity[0][i], velocity[1][i]], [-12 * t * s, 12 * t * c])).toBeLessThan(
        1e-11,
      );
      expect(angularVelocity[2][i]).toBeCloseTo(12 * t, 11);
      const a = [-12 * s - (12 * t) ** 2 * c, 12 * c - (12 * t) ** 2 * s];
      expect(difference([acceleration[0][i], acceleration[1][i]], a)).toBeLessThan(1e-8);
    });
    expect(Object.keys({ ...solution.body("ball") })).toContain("acceleration");
  });

  test("columns of a joint are its forces and its angle, over full turns", () => {
    const { force, torque, angle, displacement, length } = solution.joint("hinge");
    expect([displacement, length]).toEqual([undefined, undefined]);
    expect(torque.length).toBe(3);
    solution.time.forEach((t, i) => {
      expect(angle?.[i]).toBeCloseTo(angleAt(t), 11);
      // Centripetal, and what the motor's couple does not do: m r alpha across.
      const pull = Math.hypot(3 * 2 * (12 * t) ** 2, 3 * 2 * 12);
      expect(Math.hypot(force[0][i], force[1][i])).toBeCloseTo(pull, 6);
    });
    expect(angle?.[solution.length - 1]).toBeCloseTo(24, 11);
  });

  test("angles between steps are unwrapped too, in any order", () => {
    for (const t of [0.1, 1.99, 1, 1.5, 0.3, 1.7]) {
      expect(solution.at(t).joint("hinge").angle).toBeCloseTo(angleAt(t), 11);
      expect(
        difference(solution.at(t).body("ball").position, [
          2 * Math.cos(angleAt(t)),
          2 * Math.sin(angleAt(t)),
          0,
        ]),
      ).toBeLessThan(1e-12);
    }
    const sampled = solve(system, { span: [0, 2], output: { rate: 50 } });
    sampled.joint("hinge").angle?.forEach((angle, i) => {
      expect(angle).toBeCloseTo(angleAt(i / 50), 11);
    });
  });

  test("names are those of bodies, and wrong ones are reported", () => {
    expect(solution.names).toContain("ball x");
    expect(solution.column("ball w3")[0]).toBeCloseTo(0, 12);
    expect(() => solution.body("bal").position).toThrow(/bal/);
    expect(() => solution.joint("hing").force).toThrow(/hing/);
  });

  test("a run from another time starts with the mechanism of that time, or advises how to", async () => {
    expect(() => solve(system, { span: [1.5, 2] })).toThrow(
      /the initial state of the mechanism is for t = 0; use compile\(model, { time: 1.5 }\)/,
    );
    const later = solve(await compile(driven(), { time: 1.5 }), { span: [1.5, 2] });
    expect(later.status, later.reason).toBe("finished");
    expect(later.state(0).joint("hinge").angle).toBeCloseTo(angleAt(1.5), 11);
    expect(later.end.joint("hinge").angle).toBeCloseTo(angleAt(2), 11);
    const soon = solve(system, { span: [0.05, 0.1] });
    expect(soon.state(0).joint("hinge").angle).toBeCloseTo(angleAt(0.05), 11);
  });
});
