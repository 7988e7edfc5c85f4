import { NodriftError } from "nodrift";
import { type CompiledModel, compile, type Inertia, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { bennett, chain, door, fourBars } from "./support/linkages.js";
import { hingedKinds, parallelHinges } from "./support/parallel-hinges.js";

const Y = [0, 1, 0] as const;

/** An arm on a hinge, with drives. */
function driven(...angles: (number | ((t: number) => number))[]): Model {
  const m = model({ name: "arm" });
  const arm = m.body({ name: "arm", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
  const joint = m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: Y });
  angles.forEach((angle, i) => {
    m.driveAngle({ name: `drive${i}`, joint, angle });
  });
  return m;
}

async function refusal(m: Model): Promise<NodriftError> {
  return compile(m).then(
    () => expect.fail("it compiled"),
    (error) => error as NodriftError,
  );
}

const summary = ({ report }: CompiledModel) => [
  report.rows,
  report.rank,
  report.degreesOfFreedom,
  report.singular,
];

describe("report.redundant", () => {
  test("contains the three out-of-plane rows of a four-bar, in the joint that closes it", async () => {
    const compiled = await compile(fourBars(1));
    expect(summary(compiled)).toEqual([20, 17, 1, false]);
    const text = '"topL1": axial, tilt 1, tilt 2 repeat "ground0", "ground1", "topR0"';
    expect(compiled.report.redundant).toEqual([
      {
        joint: "topL1",
        rows: ["axial", "tilt 1", "tilt 2"],
        repeats: ["ground0", "ground1", "topR0"],
        text,
      },
    ]);
    expect(compiled.report.notes).toEqual([
      "3 of 20 rows are redundant. The motion is not affected; " +
        `reactions in the loop are (${text})`,
    ]);
  });

  test("names one loop for each of many, and counts them in the note", async () => {
    const { report } = await compile(fourBars(40, 1));
    expect(report.rank).toBe(605 - 120);
    expect(report.degreesOfFreedom).toBe(1);
    expect(report.redundant.map(({ joint }) => joint)).toEqual(
      Array.from({ length: 40 }, (_, i) => `topL${i + 1}`),
    );
    expect(report.redundant[20]!.repeats).toEqual(["ground20", "ground21", "topR20"]);
    expect(report.notes[0]).toMatch(/^120 of 605 rows are .*; and 36 more joints likewise\)$/);
  });

  test("contains all rows of the second hinge of a door", async () => {
    const compiled = await compile(door());
    expect(summary(compiled)).toEqual([10, 5, 1, false]);
    expect(compiled.report.redundant[0]!.text).toBe(
      '"upper": transverse 1, transverse 2, axial, tilt 1, tilt 2 repeat "lower"',
    );
  });

  test("depends on the proportions of Bennett's linkage, also with rounded values", async () => {
    for (const m of [bennett(), bennett({ digits: 6 })]) {
      const compiled = await compile(m);
      expect(summary(compiled)).toEqual([20, 17, 1, false]);
      expect(compiled.report.redundant[0]!.joint).toBe("hinge3");
      expect(compiled.report.redundant[0]!.repeats).toEqual(["hinge0", "hinge1", "hinge2"]);
    }
  });

  test("contains rows whose reactions are not unique", async () => {
    const { report } = await compile(fourBars(1));
    expect(report.unique("ground0: transverse 1")).toBe(true);
    expect(report.unique("topL1: transverse 2")).toBe(true);
    expect(report.unique("ground0: axial")).toBe(false);
    expect(report.unique("topL1: tilt 1")).toBe(false);
    expect(() => report.unique("ground0: axia")).toThrow("did you mean ground0: axial?");
  });

  test("contains dependent user rows", async () => {
    const m = model({ name: "bead" });
    const bead = m.body({ name: "bead", mass: 1, inertia: [1, 1, 1] });
    m.constraint({
      name: "track",
      bodies: [bead],
      rows: ["height", "twice"],
      value: ([b]) => [b!.position[2]!, 2 * b!.position[2]!],
    });
    const { report } = await compile(m);
    expect(report.rank).toBe(1);
    expect(report.redundant[0]!.text).toBe('"track": twice repeats its other rows');
  });

  test("stays empty for chains, and for one drive for each joint", async () => {
    const { report } = await compile(chain(200));
    expect([report.rank, report.degreesOfFreedom]).toEqual([600, 600]);
    expect(report.notes).toEqual([]);
    expect(report.unique("ball7: x")).toBe(true);
    expect(summary(await compile(driven((t) => t)))).toEqual([6, 6, 0, false]);
  });

  test("stays empty for a loop with enough spherical joints", async () => {
    const spatial = model({ name: "RSSR", gravity: [0, 0, -9.81] });
    const body = (name: string, position: readonly [number, number, number]) =>
      spatial.body({ name, mass: 1, inertia: [0.1, 0.1, 0.1], position });
    const [crank, rod, rocker] = [
      body("a", [0, 0, 0.5]),
      body("b", [1, 0, 1]),
      body("c", [2, 0, 1]),
    ];
    spatial.revolute({ between: [spatial.ground, crank], at: [0, 0, 0], axis: Y });
    spatial.spherical({ between: [crank, rod], at: [0, 0, 1] });
    spatial.spherical({ between: [rod, rocker], at: [2, 0.2, 2] });
    spatial.revolute({ between: [spatial.ground, rocker], at: [2, 0, 0], axis: [1, 0, 0.2] });
    const { report } = await compile(spatial);
    // The rod rotates about its own axis.
    expect([report.rows, report.rank, report.degreesOfFreedom]).toEqual([16, 16, 2]);
  });
});

describe("report of a singular initial pose", () => {
  test("names the joints that branch", async () => {
    const compiled = await compile(fourBars(1, 0, { speed: 1 }));
    expect(summary(compiled)).toEqual([20, 17, 1, true]);
    expect(compiled.report.notes[1]).toBe(
      "the start is a singular pose: rank 16 at the start, 17 nearby " +
        '("ground0", "ground1", "topR0", "topL1"): the motion can branch here',
    );
    expect(compiled.report.notes).toHaveLength(2);
  });

  // Planks in a row have no other pose: the examined nearby poses are open, and open joints tilt axes on their own.
  test.each(hingedKinds)("contains the misfits of the model and no others: %s", async (kind) => {
    const offOf = async (n: number, tilt: number, seed: number) =>
      (await compile(parallelHinges(kind, n, tilt, seed))).report.notes.flatMap(
        (note) => /do not fit exactly: off by (\S+)/.exec(note)?.[1] ?? [],
      );
    for (let n = 2; n <= 25; n += n < 9 ? 1 : 2) {
      expect(await offOf(n, 0, n), `${n} exact members`).toEqual([]);
      // Two members in a row cannot move.
      const tilt = [1e-9, 1e-8, 1e-7][n % 3]!;
      const off = n > 2 ? await offOf(n, tilt, n) : [String(tilt)];
      expect(off.length, `${n} members`).toBeGreaterThan(0);
      // Scaled by the lever arm of the tilt, in lengths of the bodies.
      for (const size of off) {
        expect(Number(size) / tilt, `${n} members`).toBeGreaterThan(0.1);
        expect(Number(size) / tilt, `${n} members`).toBeLessThan(2 * n);
      }
    }
  });

  test("mentions no branch at rest", async () => {
    const { report } = await compile(fourBars(2, 0));
    expect(report.notes[2]).toBe(
      "at rest in a singular pose: the branch is undetermined. " +
        "Give a velocity, or start slightly away from it",
    );
  });

  test("contains the rank of nearby poses in forty loops", async () => {
    const compiled = await compile(fourBars(40, 0));
    expect(summary(compiled)).toEqual([605, 485, 1, true]);
  });
});

describe("report.notes", () => {
  test("name bodies that no joint connects", async () => {
    const m = driven(0);
    m.body({ name: "stone", mass: 1, inertia: [1, 1, 1] });
    const { report } = await compile(m);
    expect(report.notes).toEqual(['body "stone" is connected to nothing: it moves freely']);
  });

  test("name impossible inertias that miss by at most 15 percent", async () => {
    const m = driven(0);
    const add = (name: string, inertia: Inertia) => {
      const body = m.body({ name, mass: 1, inertia });
      m.spherical({ between: [m.ground, body], at: [0, 1, 0] });
    };
    add("slab", [1, 2, 3]);
    for (const name of ["b", "c", "d", "e"]) add(name, [1, 2, 3.44]);
    add("turned", { principal: [2, 3.44, 1], axes: { axis: Y, angle: 0.4 } });
    add("lower arm", [0.4, 0.4, 0.8938]);
    const note = (names: string, moments: string) =>
      `inertia of ${names}: of the principal moments ${moments} the largest exceeds the sum of ` +
      "the others. Used as given; check them unless they were rounded or lumped";
    expect((await compile(m)).report.notes).toEqual([
      note('"b", "c", "d", "e", ...', "1, 2 and 3.44"),
      note('"lower arm"', "0.4, 0.4 and 0.8938"),
    ]);
  });

  test("contain the change of the initial state", async () => {
    const m = model({ name: "loose" });
    const a = m.body({ name: "a", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
    m.spherical({ between: [m.ground.marker(), a.marker({ at: [-0.99, 0, 0] })] });
    const { report, assembly } = await compile(m);
    expect(assembly.moved).toBeCloseTo(0.01, 6);
    expect(report.notes).toEqual([
      'assembly moved the bodies to close the joints; most: "a", by 0.010 and 0.0 rad',
    ]);
  });

  test("report geometry that does not close", async () => {
    const m = model({ name: "crooked door" });
    const panel = m.body({ name: "panel", mass: 1, inertia: [1, 1, 1] });
    m.revolute({ name: "lower", between: [m.ground, panel], at: [0, 0, 0], axis: [0, 0, 1] });
    m.revolute({
      name: "upper",
      between: [m.ground.marker({ at: [0, 0, 1] }), panel.marker({ at: [0, 0, 1 + 4e-6] })],
    });
    const { report, assembly } = await compile(m);
    expect(report.rank).toBe(5);
    const open = /^assembly left a constraint error of (\S+) at the start$/;
    const [, left] = open.exec(report.notes.at(-1)!) ?? [];
    expect(Number(left)).toBeCloseTo(assembly.residual, 7);
    expect(Number(left)).toBeGreaterThan(1e-6);
  });
});

describe("several drives of one degree of freedom", () => {
  test("count as redundant if they agree", async () => {
    const { report } = await compile(driven(Math.sin, (t) => Math.sin(t)));
    expect([report.rows, report.rank, report.redundant.length]).toEqual([7, 6, 1]);
  });

  const contradictions: [string, () => Model, RegExp][] = [
    [
      "values",
      () =>
        driven(
          (t) => t,
          (t) => t + 0.1,
        ),
      /"drive[01]".*"drive[01]"/,
    ],
    ["rates", () => driven((t) => t, 0), /"drive[01]".*"drive[01]"/],
    ["accelerations", () => driven((t) => t * t, 0), /"drive0" contradicts "drive1" at t = 0:/],
    [
      "later values",
      () =>
        driven(
          (t) => t ** 3,
          (t) => t ** 5,
        ),
      /drives "drive0" and "drive1"/,
    ],
  ];
  test.each(contradictions)("must not contradict each other in %s", async (_, make, text) => {
    const error = await refusal(make());
    expect(error).toBeInstanceOf(NodriftError);
    expect(error.code).toBe("ASSEMBLY");
    expect(error.message).toMatch(text);
    expect(error.message).toMatch(/t = 0/);
  });

  test("must not contradict each other through gears; the error contains the time", async () => {
    const m = model({ name: "gears" });
    const joints = [0, 1].map((i) => {
      const wheel = m.body({ mass: 1, inertia: [1, 1, 1], position: [i, 0, 0] });
      return m.revolute({ between: [m.ground, wheel], at: [i, 0, 0], axis: Y });
    });
    m.gear({ joints: [joints[0]!, joints[1]!], ratio: -2 });
    m.driveAngle({ name: "fast", joint: joints[0]!, angle: (t) => t ** 3 });
    m.driveAngle({ name: "slow", joint: joints[1]!, angle: (t) => -2 * t ** 3 + t ** 4 });
    const error = await refusal(m);
    expect(error.message).toBe(
      'gears: the drives "fast" and "slow" contradict each other at t = 0.01: the same motion is ' +
        "prescribed twice with different values. Remove one drive, or make the functions agree",
    );
  });
});
