import { BasisKind } from "../../../assembly/layout.js";
import {
  listOf,
  nameOrIndex,
  optionsOf,
  rankTolerance,
  type Shape,
} from "../../ground/checking/index.js";
import { NodriftError, SimulationError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { Formulation, System } from "../../seam/index.js";
import { bindProjected } from "./acceleration-projection.js";
import { keepPartition } from "./maggi.js";
import { bindPartitioned } from "./partitioned-unknowns.js";
import { bindReduced } from "./reduced-unknowns.js";
import type { Tangent } from "./tangent-space.js";

/** Options of {@link coordinatePartitioning}. */
export interface CoordinatePartitioningOptions {
  /**
   * Names or indices of the independent coordinates, as many as there are degrees of freedom. Default:
   * chosen by complete pivoting, and chosen anew when that has become a bad choice.
   */
  readonly independent?: readonly (string | number)[];
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<CoordinatePartitioningOptions> = {
  independent: listOf(nameOrIndex, "a list of names or indices of coordinates"),
  tolerance: rankTolerance,
};

/** Slope above which coordinates do not determine the others. */
const VERTICAL = 1e10;

/**
 * Generalised coordinate partitioning: only independent coordinates and their velocities are integrated.
 * Dependent positions come from the constraints by Newton's iteration, dependent velocities by a solve,
 * so that both hold to rounding.
 *
 * @example
 * coordinatePartitioning();                              // coordinates chosen, and changed, by itself
 * coordinatePartitioning({ independent: ["theta"] });    // the crank angle, always
 */
export function coordinatePartitioning(
  options: CoordinatePartitioningOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("coordinatePartitioning", "METHOD", options, SHAPE, more);
  const { independent, tolerance = RANK_TOLERANCE } = read;
  return {
    name: "coordinatePartitioning",
    reference: "Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Laulusa and Bauchau 2008, 4.1",
    level: "position",
    // Coordinates that are pinned may cease to determine the others.
    survivesSingularPoses: independent === undefined,
    survivesRedundantRows: true,
    needs: "dense",
    changesUnknowns: true,
    bind(system) {
      const choose = independent
        ? bindPinned(system, independent, tolerance)
        : (tangent: Tangent, jacobian: Address) => keepPartition(tangent, jacobian, tolerance);
      return bindReduced(
        system,
        bindPartitioned(system, { rotated: 0, positions: true, choose }),
        bindProjected(system, "lu", tolerance),
      );
    },
  };
}

/** A choice that leaves the given coordinates independent, or says why that cannot be. */
function bindPinned(
  system: System,
  independent: readonly (string | number)[],
  tolerance: number,
): (tangent: Tangent, jacobian: Address) => void {
  const { workspace } = system;
  const { velocities, velocityNames: coordinateNames } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const indices = independent.map((given) => indexOf(given, coordinateNames));
  const names = indices.map((index) => `"${coordinateNames[index]}"`).join(", ");
  if (new Set(indices).size !== indices.length) {
    throw new NodriftError("METHOD", `independent names a coordinate twice: ${names}`);
  }
  if (rows > holonomicRows) {
    throw new NodriftError(
      "METHOD",
      "`independent` is not supported with nonholonomic constraints: there are " +
        "fewer independent velocities than positions",
    );
  }
  const pinned = workspace.constants(
    "pinned coordinates",
    coordinateNames.map((_, index) => (indices.includes(index) ? 1 : 0)),
  );

  return (tangent, jacobian) => {
    if (tangent.isComplete && tangent.partition(0, jacobian) && tangent.slope < VERTICAL) return;
    tangent.choose(BasisKind.LU, tolerance, jacobian, false, pinned);
    const { time } = system;
    const freedom = velocities - system.dynamics.solver("cod").rank();
    if (indices.length !== freedom) {
      throw new SimulationError(
        "METHOD",
        time,
        `\`independent\` lists ${indices.length} coordinates (${names}), but the system has ${freedom} degrees ` +
          `of freedom at t = ${time}`,
      );
    }
    if (velocities - tangent.rank !== indices.length || !(tangent.slope < VERTICAL)) {
      throw new SimulationError(
        "SINGULAR",
        time,
        `the independent coordinates (${names}) do not determine the others at t = ${time}: choose others, ` +
          "or omit `independent`",
      );
    }
  };
}

function indexOf(given: string | number, names: readonly string[]): number {
  const index = typeof given === "number" ? given : names.indexOf(given);
  if (Number.isInteger(index) && index >= 0 && index < names.length) return index;
  throw new NodriftError(
    "METHOD",
    `independent: there is no coordinate ${typeof given === "number" ? given : `"${given}"`}; ` +
      `the system has ${names.map((name) => `"${name}"`).join(", ")}`,
  );
}
