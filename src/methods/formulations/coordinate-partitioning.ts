import { BasisKind } from "../../../assembly/layout.js";
import {
  listOf,
  nameOrIndex,
  oneOf,
  optionsOf,
  rankTolerance,
  type Shape,
} from "../../ground/checking/index.js";
import { NodriftError, SimulationError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { Formulation, System } from "../../seam/index.js";
import { bindProjected } from "./acceleration-projection.js";
import { bindPartitioned } from "./partitioned-unknowns.js";
import { bindProjectiveChoice } from "./projective-choice.js";
import { bindReduced } from "./reduced-unknowns.js";
import type { Tangent } from "./tangent-space.js";

/** Options of {@link coordinatePartitioning}. */
export interface CoordinatePartitioningOptions {
  /**
   * Names or indices of the independent coordinates, as many as there are degrees of freedom. Default:
   * chosen by complete pivoting, and chosen anew when that has become a bad choice.
   */
  readonly independent?: readonly (string | number)[];
  /**
   * How independent coordinates are chosen, where none are named. "pivoting": complete pivoting of the constraint matrix,
   * weighed by the masses. "projective": Blajer's criterion, those whose directions are deflected least from the space that the
   * constraints leave free, in the metric of the mass matrix. Default: "pivoting".
   */
  readonly criterion?: "pivoting" | "projective";
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<CoordinatePartitioningOptions> = {
  independent: listOf(nameOrIndex, "a list of names or indices of coordinates"),
  criterion: oneOf("pivoting", "projective"),
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
 * coordinatePartitioning({ criterion: "projective" });   // chosen by Blajer's criterion
 */
export function coordinatePartitioning(
  options: CoordinatePartitioningOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("coordinatePartitioning", "METHOD", options, SHAPE, more);
  const { independent, criterion = "pivoting", tolerance = RANK_TOLERANCE } = read;
  const isProjective = criterion === "projective";
  if (isProjective && independent) {
    throw new NodriftError(
      "METHOD",
      "coordinatePartitioning: `independent` names the coordinates and `criterion` chooses them: give one of the two",
    );
  }
  return {
    name: isProjective ? "coordinatePartitioning(projective)" : "coordinatePartitioning",
    reference: isProjective
      ? "Blajer, Schiehlen and Schirm, Arch. Appl. Mech. 64 (1994) 86-98; Laulusa and Bauchau 2008, 4.6"
      : "Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Laulusa and Bauchau 2008, 4.1",
    level: "position",
    // Coordinates that are pinned may cease to determine the others.
    survivesSingularPoses: independent === undefined,
    survivesRedundantRows: true,
    needs: "dense",
    changesUnknowns: true,
    bind(system) {
      const automatic = isProjective
        ? bindProjectiveChoice(system, tolerance)
        : (tangent: Tangent, jacobian: Address) => tangent.keepPartition(tolerance, jacobian);
      const choose = independent ? bindPinned(system, independent, tolerance) : automatic;
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
