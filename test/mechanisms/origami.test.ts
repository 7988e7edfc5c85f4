// Sheets of hinged plates: loops that share joints, many redundant rows, and flat poses in which branches meet.

import { box, compile, type Model, model, type Vector } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const KINDS = ["relative", "maximal"] as const;

/** A grid of faces with given vertices and hinges along their common edges; the first face is fixed. */
function sheet(rows: number, columns: number, vertex: (i: number, j: number) => Vector): Model {
  const m = model();
  const faces = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      const corners = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)];
      const position = [0, 1, 2].map((k) => corners.reduce((sum, p) => sum + p[k]! / 4, 0));
      return m.body({
        name: `face ${i} ${j}`,
        mass: 1,
        shape: box({ x: 0.8, y: 0.8, z: 0.02 }),
        position: position as unknown as Vector,
      });
    }),
  );
  const hinge = (one: (typeof faces)[0][0], other: typeof one, from: Vector, to: Vector) => {
    const along = (of: (a: number, b: number) => number) =>
      from.map((value, k) => of(value, to[k]!)) as unknown as Vector;
    const [at, axis] = [along((a, b) => (a + b) / 2), along((a, b) => b - a)];
    m.revolute({ between: [one, other], at, axis });
  };
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const face = faces[i][j];
      if (i + 1 < rows) hinge(face, faces[i + 1][j], vertex(i + 1, j), vertex(i + 1, j + 1));
      if (j + 1 < columns) hinge(face, faces[i][j + 1], vertex(i, j + 1), vertex(i + 1, j + 1));
    }
  }
  m.fixed({ between: [m.ground, faces[0][0]] });
  return m;
}

/** Miura's fold of unit rhombi with an acute angle of 1 rad; 0 is flat, pi / 2 folded up (Schenk and Guest 2013). */
function miura(rows: number, columns: number, fold: number): Model {
  const [c, s] = [Math.cos(fold), Math.sin(fold)];
  const [tangent, sine] = [Math.tan(1), Math.sin(1)];
  const width = (c * tangent) / Math.sqrt(1 + c * c * tangent * tangent);
  const shift = 1 / Math.sqrt(1 + c * c * tangent * tangent);
  const length = Math.sqrt(1 - s * s * sine * sine);
  return sheet(rows, columns, (i, j) => [
    width * j,
    length * i + (j % 2 === 0 ? 0 : shift),
    i % 2 === 0 ? 0 : s * sine,
  ]);
}

describe.each(KINDS)("Miura's fold in %s coordinates", (coordinates) => {
  test.each([
    [2, 2],
    [3, 4],
  ])(
    "keeps one degree of freedom with %i x %i faces, and its symmetry and energy",
    async (rows, columns) => {
      const system = await compile(miura(rows, columns, 0.8), { coordinates });
      expect(system.report.degreesOfFreedom).toBe(1);
      const { status, end, statistics } = solve(system, { span: [0, 0.4], tolerance: 1e-9 });
      expect(status).toBe("finished");
      expect(statistics.energyError).toBeLessThan(1e-8);
      expect(end.constraintError().position).toBeLessThan(1e-12);
      // Faces of one kind stay parallel at any fold.
      for (let i = 0; i + 2 < rows; i++) {
        const [one, other] = [0, 2].map((k) => end.body(`face ${i + k} 0`).orientation);
        const same = one.reduce((sum, value, k) => sum + value * other[k]!, 0);
        expect(Math.abs(same)).toBeCloseTo(1, 12);
      }
      const moved = end.body(`face ${rows - 1} ${columns - 1}`).velocity;
      expect(Math.max(...moved.map(Math.abs))).toBeGreaterThan(0.1);
    },
  );

  test("reports singularity when flat and at rest, and no step opens its joints without an error", async () => {
    const flat = sheet(3, 3, (i, j) => [i, j, 0]);
    const system = await compile(flat, { coordinates });
    expect(system.report.notes.join(" ")).toContain("singular pose");
    const simulation = system.simulate({ step: 1e-3 });
    expect(() => simulation.runTo(0.3)).toThrow(/is open by .* at t = 0\.\d+.*singular/);
    expect(simulation.constraintError().position).toBeLessThan(1.01e-3);
    const solution = solve(system, { span: [0, 0.3], tolerance: 1e-6 });
    expect(["stepUnderflow", "failed"]).toContain(solution.status);
  });
});
