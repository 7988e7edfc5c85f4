import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyMass,
  Want,
} from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import type { MatrixEntry, SparseEquations } from "../../../interfaces/index.js";
import { columnsOf } from "../../../model/kinds.js";
import type { BlockData, SensorData } from "../../../model/model-data.js";
import type { BodyQuantities } from "./quantities.js";

/** Half the Euler parameters, as products with the angular velocity: e' = G(w) e, by rows of e'. */
const HALF_PARAMETERS: readonly (readonly [parameter: number, sign: number])[][] = [
  [
    [1, -1],
    [2, -1],
    [3, -1],
  ],
  [
    [0, 1],
    [3, -1],
    [2, 1],
  ],
  [
    [3, 1],
    [0, 1],
    [1, -1],
  ],
  [
    [2, -1],
    [1, 1],
    [0, 1],
  ],
];

/**
 * Rotations by some hundredths of a radian, all different, and as much of a length: far enough from a singular pose to
 * show how singular it is. Multiples of the golden ratio never repeat modulo one.
 */
export function nearbyTurn(index: number): number {
  const part = (index * 0.6180339887498949) % 1;
  return (index % 2 === 0 ? 0.05 : -0.05) * (0.5 + part);
}

/** The matrices of a mechanism, entry by entry; `length` is a typical length. */
export function bodyEntries(system: BodyQuantities, length: number): SparseEquations {
  const { plan, positions, velocities, trial, workspace } = system;
  const bodies = plan.model.bodies.length;
  const one = workspace.constants("one", [1]);
  const each = <T>(make: (body: number) => readonly T[]) =>
    Array.from({ length: bodies }, (_, body) => make(body)).flat();
  // A displacement of the Euler parameters by x rotates the body by 2 x, and moves the other end of the mechanism by
  // some 4 x length. Heavy bodies make the best independent coordinates: errors of a light body, such as a wheel,
  // would be amplified in the chassis.
  const weights = Array.from({ length: positions }, (_, i) => {
    const { mass } = plan.model.bodies[Math.floor(i / BODY_POSITIONS)]!;
    return (i % BODY_POSITIONS < 3 ? 1 : 1 / (4 * length)) / Math.sqrt(mass);
  });
  return {
    mass: each((body) => massOf(system, body)),
    jacobian: jacobianOf(system),
    rates: each((body) => ratesOf(body, trial.q, one)),
    eulerParameterStarts: each((body) => [BODY_POSITIONS * body + 3]),
    weights: () => weights,
    rowSizes: () => [],
    nearby: workspace.constants(
      "displacement to a pose nearby",
      Array.from({ length: velocities }, (_, i) =>
        i % BODY_VELOCITIES < 3 ? length * nearbyTurn(i) : nearbyTurn(i),
      ),
    ),
    // M is constant.
    updateMass: () => {},
    updateJacobian: () => system.require(Want.PHI | Want.JACOBIAN),
    rateBias: (out) => system.kernels.bodyPositionBias(system.table, out),
  };
}

function massOf({ plan, segments }: BodyQuantities, body: number): MatrixEntry[] {
  const record = segments.masses.address + 8 * BodyMass.LENGTH * body;
  const first = BODY_VELOCITIES * body;
  const { inertia } = plan.model.bodies[body]!;
  const linear = [0, 1, 2].map((i) => ({
    row: first + i,
    column: first + i,
    address: record + 8 * BodyMass.MASS,
    scale: 1,
  }));
  const angular = inertia.flatMap((value, k) =>
    value === 0
      ? []
      : {
          row: first + 3 + Math.floor(k / 3),
          column: first + 3 + (k % 3),
          address: record + 8 * (BodyMass.INERTIA + k),
          scale: 1,
        },
  );
  return [...linear, ...angular];
}

function ratesOf(body: number, trial: Address, one: Address): MatrixEntry[] {
  const position = BODY_POSITIONS * body;
  const velocity = BODY_VELOCITIES * body;
  const linear = [0, 1, 2].map((i) => ({
    row: position + i,
    column: velocity + i,
    address: one,
    scale: 1,
  }));
  return [...linear, ...turnEntries(position + 3, velocity + 3, trial)];
}

/** Entries of e' = T w for Euler parameters and angular velocities that begin at these indices of q and v. */
export function turnEntries(position: number, velocity: number, trial: Address): MatrixEntry[] {
  return HALF_PARAMETERS.flatMap((row, i) =>
    row.map(([parameter, sign], k) => ({
      row: position + i,
      column: velocity + k,
      address: trial + 8 * (position + parameter),
      scale: sign / 2,
    })),
  );
}

/** The Jacobian: columns are velocities of bodies. */
export function jacobianOf({ plan, segments }: BodyQuantities): MatrixEntry[] {
  return plan.blocks.flatMap(({ block, bodies, firstRow }, index) =>
    blockColumns(block, plan.model.sensors).flatMap((columns, row) =>
      bodies.flatMap((body, place) => {
        const slot = plan.sparse.jacobianSlotOf[index]![place]! + BODY_VELOCITIES * row;
        return columns.map((column) => ({
          row: firstRow + row,
          column: BODY_VELOCITIES * body + column,
          address: segments.jacobian.address + 8 * (slot + column),
          scale: 1,
        }));
      }),
    ),
  );
}

const ALL_COLUMNS = [0, 1, 2, 3, 4, 5];

/** Indices of a body's six velocities with nonzero coefficients, for each row of a block. */
function blockColumns(
  { rows, user }: BlockData,
  sensors: readonly SensorData[],
): readonly (readonly number[])[] {
  if (user) return user.names.map(() => ALL_COLUMNS);
  return rows.flatMap((row) => columnsOf(row, sensors));
}
