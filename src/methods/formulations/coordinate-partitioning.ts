import { BasisKind, choleskySlots } from "../../../assembly/layout.js";
import {
  listOf,
  nameOrIndex,
  oneOf,
  optionsOf,
  rankTolerance,
  type Shape,
} from "../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindProjected } from "./acceleration-projection.js";
import { bindPartitioned, bindReduced } from "./reduced-unknowns.js";
import { denseOf, Tangent } from "./tangent-space.js";

/**
 * Independent coordinates by Blajer's projective criterion (assembly/dynamics/projective.ts), kept while they are
 * good. The directions of coordinates, L^-1, and the null space of J L^-T are computed only at states at which
 * coordinates are chosen, a few times in a motion.
 */
function bindProjectiveChoice(
  system: System,
  tolerance: number,
): (tangent: Tangent, jacobian: Address) => void {
  const { workspace } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const memory = denseMemory(workspace);
  const free = new Tangent(system, "criterion: null space");
  const ofPositions =
    holonomicRows < rows ? new Tangent(system, "criterion: positions", holonomicRows) : free;
  const factor = workspace.vector("criterion: metric", choleskySlots(n));
  const whitened = workspace.vector("criterion: whitened constraints", rows * n);
  const unit = Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  const identity = workspace.constants("criterion: coordinates", unit);
  const directions = workspace.vector("criterion: directions", n * n);
  const scratch = workspace.vector("criterion: projected directions", n * n);
  const chosen = workspace.vector("criterion: independent coordinates", n);

  function check(status: number): void {
    if (failed(status))
      throw system.errorFor(status, "use a mass matrix that is positive definite");
  }

  return (tangent, jacobian) => {
    if (tangent.isPartitionGood(jacobian)) return;
    const space = tangent.rows === rows ? free : ofPositions;
    check(memory.kernels.choleskyFactor(n, denseOf(system).mass(), n, factor));
    check(memory.kernels.choleskyForward(n, space.rows, factor, jacobian, n, whitened, n));
    check(memory.kernels.choleskyForward(n, n, factor, identity, n, directions, n));
    space.choose(BasisKind.QR, tolerance, whitened);
    const count = n - space.rank;
    check(memory.kernels.projectiveChoice(n, count, space.basis, directions, scratch, chosen));
    tangent.choose(BasisKind.LU, tolerance, jacobian, false, chosen);
  };
}

/** Options of {@link coordinatePartitioning}. */
export interface CoordinatePartitioningOptions {
  /**
   * Names or indices of the independent coordinates, as many as there are degrees of freedom. Default:
   * chosen by complete pivoting, and rechosen when the choice has become bad.
   */
  readonly independent?: readonly (string | number)[];
  /**
   * How independent coordinates are chosen if none are named. "pivoting": complete pivoting of the constraint matrix,
   * weighted by the masses. "projective": Blajer's criterion, which selects coordinates whose directions are
   * deflected least from the null space of the constraints, in the metric of the mass matrix. Default: "pivoting".
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

/** Slope above which the coordinates do not determine the others. */
const MAX_SLOPE = 1e10;

/**
 * Generalised coordinate partitioning: only independent coordinates and their velocities are integrated.
 * Dependent positions follow from the constraints by Newton's iteration, dependent velocities by a solve, so both
 * satisfy the constraints to rounding.
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
    ...PLAIN_FORMULATION,
    name: isProjective ? "coordinatePartitioning(projective)" : "coordinatePartitioning",
    reference: isProjective
      ? "Blajer, Schiehlen and Schirm, Arch. Appl. Mech. 64 (1994) 86-98; Laulusa and Bauchau 2008, 4.6"
      : "Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Laulusa and Bauchau 2008, 4.1",
    level: "position",
    // Pinned coordinates may cease to determine the others.
    survivesSingularPoses: independent === undefined,
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

/** Returns a choice that keeps the given coordinates independent; throws with the reason if that is impossible. */
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
    if (tangent.isComplete && tangent.partition(0, jacobian) && tangent.slope < MAX_SLOPE) return;
    tangent.choose(BasisKind.LU, tolerance, jacobian, false, pinned);
    const { time } = system;
    const freedom = velocities - system.dynamics.solver("cod", undefined, denseMemory).rank();
    if (indices.length !== freedom) {
      throw new SimulationError(
        "METHOD",
        time,
        `\`independent\` lists ${indices.length} coordinates (${names}), but the system has ${freedom} degrees ` +
          `of freedom at t = ${time}`,
      );
    }
    if (velocities - tangent.rank !== indices.length || !(tangent.slope < MAX_SLOPE)) {
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
