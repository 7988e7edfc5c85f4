import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { ChangeLog } from "../../base/memory/record.js";
import type { CoordinatePartition, System } from "../../interfaces/index.js";
import type { TangentSpace } from "./reduced-unknowns.js";
import { denseOf, Tangent } from "./tangent-space.js";

export interface PartitionedUnknownsOptions {
  /** 0: the directions are coordinates. 1: they are those of the record. */
  readonly rotated: 0 | 1;
  /** Whether positions are kept on the constraints too. */
  readonly positions: boolean;
  /** Rechooses or keeps the directions; called at the beginning of a step. */
  choose(tangent: Tangent, jacobian: Address): void;
}

/** Newton iterations on positions, the error at which they end, and the largest accepted error. */
const NEWTON = { iterations: 30, tolerance: 1e-15, accepted: 1e-9 } as const;

/**
 * Unknowns are the parts of q and v in independent directions that do not change during a step. The dependent parts
 * of v, and of q if positions are kept on the constraints, follow from the constraints. Since the
 * independent directions are constant, e' is the independent part of the accelerations.
 */
export function bindPartitioned(
  system: System,
  { rotated, positions, choose }: PartitionedUnknownsOptions,
): TangentSpace {
  const { workspace, trial } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const tangent = new Tangent(system, "partition");
  // Constraints on velocities do not restrict positions, which therefore have fewer dependent directions.
  const ofPositions =
    positions && rows > holonomicRows
      ? new Tangent(system, "partition of positions", holonomicRows)
      : tangent;
  const chosen = rotated === 0 ? chosenCoordinates(system, tangent) : undefined;
  const step = workspace.vector("correction of positions", n);
  const particular = workspace.vector("particular acceleration", n);
  const accelerations = workspace.vector("accelerations", n);

  function factor(of: Tangent): void {
    if (of.partition(rotated, denseOf(system).jacobian())) return;
    const { time } = system;
    throw new SimulationError(
      "SINGULAR",
      time,
      `the independent directions do not determine the others at t = ${time}: try a shorter step`,
    );
  }

  function correct(t: number): void {
    const { kernels } = workspace;
    let error = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < NEWTON.iterations; iteration++) {
      const next = kernels.largestMagnitude(holonomicRows, system.constraints.phi());
      if (!(next < error)) break;
      error = next;
      if (error <= NEWTON.tolerance) return;
      factor(ofPositions);
      ofPositions.partitionParticular(rotated, -1, system.constraints.phi(), step);
      system.coordinates.displace(trial.q, step);
      system.at(t);
    }
    if (error <= NEWTON.accepted) return;
    throw new SimulationError(
      "STEP",
      t,
      `Newton's iteration for the dependent positions did not converge at t = ${t} ` +
        `(residual ${error.toExponential(2)}): try a shorter step`,
    );
  }

  return {
    choose() {
      const jacobian = denseOf(system).jacobian();
      choose(tangent, jacobian);
      if (ofPositions !== tangent) choose(ofPositions, jacobian);
      chosen?.note();
    },
    ...(positions ? { correct } : {}),
    factor: () => factor(tangent),
    velocity(e, bias, v) {
      tangent.partitionParticular(rotated, -1, bias, v);
      tangent.add(e, v);
    },
    take: (v, e) => tangent.partitionTake(rotated, v, e),
    ...(chosen && {
      partition(): CoordinatePartition | undefined {
        const velocities = chosen.names(tangent);
        if (velocities === undefined) return undefined;
        const own = positions ? chosen.names(ofPositions) : [];
        return { positions: own ?? [], velocities, ...chosen.changes() };
      },
    }),
    rate(right, out) {
      tangent.partitionParticular(rotated, 1, right, particular);
      tangent.accelerate(particular, out, accelerations);
    },
  };
}

/** Records the independent coordinates and their changes. */
function chosenCoordinates(system: System, tangent: Tangent) {
  const { workspace } = system;
  const { velocities: n, velocityNames } = system.coordinates;
  const log = new ChangeLog(workspace, "partition: changes");
  const segment = workspace.reserve("partition: independent coordinates", n + 1);
  /** 1 for independent coordinates, followed by a flag that is 1 after a choice. */
  let marks = new Float64Array(n + 1);
  workspace.whenSealed((arena) => {
    marks = arena.floats(segment);
  });
  return {
    /** Records the choice. Call after a choice at the trial state. */
    note(): void {
      const { columns, rank } = tangent;
      let isOther = false;
      for (let j = 0; j < n; j++) {
        const mark = j < rank ? 0 : 1;
        const index = columns[j]!;
        isOther ||= marks[index] !== mark;
        marks[index] = mark;
      }
      if (isOther && marks[n] === 1) log.note(system.time);
      marks[n] = 1;
    },
    /** Returns the names in the order of the coordinates; undefined before a choice. */
    names(of: Tangent): string[] | undefined {
      if (marks[n] !== 1) return undefined;
      const independent = Array.from(of.columns.subarray(of.rank)).sort((a, b) => a - b);
      return independent.map((index) => velocityNames[index] ?? "?");
    },
    changes: () => ({ changes: log.count, times: log.times() }),
  };
}
