import { BasisKind, choleskySlots } from "../../../assembly/layout.js";
import type { Address } from "../../ground/memory/arena.js";
import { failed } from "../../ground/wasm/status.js";
import type { System } from "../../seam/index.js";
import { denseOf, Tangent } from "./tangent-space.js";

/**
 * Independent coordinates by Blajer's projective criterion (assembly/dynamics/projective.ts), kept while they are good. The
 * directions of coordinates, L^-1, and the null space of J L^-T are found at the states where coordinates are chosen
 * only: a few times in a motion.
 */
export function bindProjectiveChoice(
  system: System,
  tolerance: number,
): (tangent: Tangent, jacobian: Address) => void {
  const { workspace } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
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
    const { kernels } = workspace;
    const space = tangent.rows === rows ? free : ofPositions;
    check(kernels.choleskyFactor(n, denseOf(system).mass(), n, factor));
    check(kernels.choleskyForward(n, space.rows, factor, jacobian, n, whitened, n));
    check(kernels.choleskyForward(n, n, factor, identity, n, directions, n));
    space.choose(BasisKind.QR, tolerance, whitened);
    const count = n - space.rank;
    check(kernels.projectiveChoice(n, count, space.basis, directions, scratch, chosen));
    tangent.choose(BasisKind.LU, tolerance, jacobian, false, chosen);
  };
}
