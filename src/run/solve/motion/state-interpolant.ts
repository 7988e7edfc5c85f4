import type { Address } from "../../../ground/memory/arena.js";
import type { AdaptiveStepper, System } from "../../../seam/index.js";
import type { BoundMethod } from "../../stepping/bind.js";

/** The polynomial of a step in the coordinates of the state. */
export interface StateInterpolant {
  readonly interpolantRows: number;
  /** Numbers in a row. */
  readonly stride: number;
  /** Rows of the nested form (see AdaptiveStepper), after the step was judged; `before`: the state at t. */
  interpolant(t: number, h: number, before: Address, out: Address): void;
  stiffness?(h: number, least?: number): number;
}

/** Most rows: more would amplify rounding. */
const MOST_ROWS = 8;

/**
 * The method's own polynomial where its unknowns are q and v. Where others determine q and v, the polynomial
 * through states that belong to its values: `unknowns` are those at the beginning of the step.
 */
export function stateInterpolantOf(
  system: System,
  { ode, expandState }: BoundMethod,
  stepper: AdaptiveStepper,
  unknowns: Address,
): StateInterpolant | undefined {
  const stiffness = stepper.stiffness && {
    stiffness: (h: number, least?: number) => stepper.stiffness?.(h, least) ?? 0,
  };
  if (ode === undefined) return undefined;
  if (ode.y === system.state.q) {
    return {
      interpolantRows: stepper.interpolantRows,
      stride: ode.dimension,
      interpolant: (t, h, before, out) => stepper.interpolant(t, h, before, out),
      ...stiffness,
    };
  }
  return (
    expandState && {
      ...sampled(system, ode.dimension, expandState, stepper, unknowns),
      ...stiffness,
    }
  );
}

function sampled(
  { workspace, coordinates, state }: System,
  dimension: number,
  spread: (t: number, y: Address, out: Address) => void,
  stepper: AdaptiveStepper,
  unknowns: Address,
): StateInterpolant {
  const size = coordinates.positions + coordinates.velocities;
  const ownRows = stepper.interpolantRows;
  const rows = Math.min(Math.max(ownRows + 1, 5), MOST_ROWS);
  const nodes = crowdedNodes(rows - 2);
  const own = workspace.vector("interpolant of unknowns", ownRows * dimension);
  const at = workspace.vector("unknowns between", dimension);
  const samples = workspace.vector("states between", (rows - 2) * size);
  const zero = workspace.vector("no state", size);
  const weightsOf = nodes.map((s) =>
    workspace.constants("weights of unknowns", nestedBasis(s, ownRows).slice(1)),
  );
  const inverse = inverted(nodes.map((s) => nestedBasis(s, rows).slice(2)));
  const weightsOfRows = inverse.map((row) => workspace.constants("weights of states", row));

  return {
    interpolantRows: rows,
    stride: size,
    interpolant(t, h, before, out) {
      const { kernels } = workspace;
      stepper.interpolant(t, h, unknowns, own);
      kernels.copyVector(size, before, out);
      const c1 = out + 8 * size;
      kernels.axpy(size, -1, before, state.q, c1);
      // Back from the end, which was placed last: each state is near the one before it.
      for (let k = nodes.length - 1; k >= 0; k--) {
        const s = nodes[k]!;
        const sample = samples + 8 * k * size;
        kernels.combine(dimension, ownRows - 1, 1, own, own + 8 * dimension, weightsOf[k]!, at);
        spread(t + s * h, at, sample);
        kernels.axpy(size, -1, before, sample, sample);
        kernels.axpy(size, -s, c1, sample, sample);
      }
      for (let k = 0; k < nodes.length; k++) {
        const row = out + 8 * (k + 2) * size;
        kernels.combine(size, nodes.length, 1, zero, samples, weightsOfRows[k]!, row);
      }
    },
  };
}

/** 1, s, s (1 - s), s^2 (1 - s), ...: what the rows of the nested form are multiplied by. */
function nestedBasis(s: number, rows: number): number[] {
  const basis = [1];
  for (let k = 1; k < rows; k++) basis.push(basis[k - 1]! * (k % 2 === 1 ? s : 1 - s));
  return basis;
}

/**
 * Places in [0, 1] that crowd towards the ends like the extrema of a Chebyshev polynomial, (1 - cos(pi t)) / 2: with
 * the ends they interpolate nearly best. 3 t^2 - 2 t^3 is near that, and the same on every engine.
 */
function crowdedNodes(count: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const t = (k + 1) / (count + 1);
    return t * t * (3 - 2 * t);
  });
}

/** By Gauss and Jordan, with pivots in the columns: small matrices of moderate numbers. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < size; k++) {
    const rest = work.slice(k).map((row) => Math.abs(row[k]!));
    const pivot = k + rest.indexOf(Math.max(...rest));
    [work[k], work[pivot]] = [work[pivot]!, work[k]!];
    const top = work[k]!.map((x) => x / work[k]![k]!);
    work.forEach((row, i) => {
      const factor = row[k]!;
      work[i] = i === k ? top : row.map((x, j) => x - factor * top[j]!);
    });
  }
  return work.map((row) => row.slice(size));
}
