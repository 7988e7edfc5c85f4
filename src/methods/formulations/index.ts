// The registry of formulations: with one line per variant. A line enrols it in the conformance tests, the
// benchmark and the table of methods. All entries of this file are exported by `nodrift`.

import type { Formulation } from "../../interfaces/index.js";
import { accelerationProjection } from "./acceleration-projection.js";
import { augmentedLagrangian, penalty } from "./augmented-lagrangian.js";
import { coordinatePartitioning } from "./coordinate-partitioning.js";
import { frozenBasis } from "./frozen-basis.js";
import { lagrange } from "./lagrange.js";
import { maggi } from "./maggi.js";
import { nullSpace } from "./null-space.js";
import { phaseSpace } from "./phase-space.js";
import { projectionOperator } from "./projection-operator.js";
import { projective } from "./projective.js";
import { udwadiaKalaba } from "./udwadia-kalaba.js";
import { velocityTransformation } from "./velocity-transformation.js";

export { accelerationProjection } from "./acceleration-projection.js";
export {
  type AugmentedLagrangianOptions,
  augmentedLagrangian,
  type PenaltyOptions,
  penalty,
} from "./augmented-lagrangian.js";
export {
  type CoordinatePartitioningOptions,
  coordinatePartitioning,
} from "./coordinate-partitioning.js";
export { type FrozenBasisOptions, frozenBasis } from "./frozen-basis.js";
export type { KinematicCharacteristics } from "./given-characteristics.js";
export { type LagrangeOptions, lagrange } from "./lagrange.js";
export { type MaggiOptions, maggi } from "./maggi.js";
export { type NullSpaceOptions, nullSpace } from "./null-space.js";
export { type PhaseSpaceOptions, phaseSpace } from "./phase-space.js";
export { type ProjectionOperatorOptions, projectionOperator } from "./projection-operator.js";
export { type ProjectiveOptions, projective } from "./projective.js";
export { type UdwadiaKalabaOptions, udwadiaKalaba } from "./udwadia-kalaba.js";
export { velocityTransformation } from "./velocity-transformation.js";

/** Every variant of every formulation. */
export const formulations: readonly Formulation[] = [
  lagrange(),
  lagrange({ solver: "kkt" }),
  udwadiaKalaba(),
  udwadiaKalaba({ solver: "cod" }),
  udwadiaKalaba({ solver: "svd" }),
  udwadiaKalaba({ solver: "gram-schmidt" }),
  udwadiaKalaba({ solver: "cholesky" }),
  nullSpace(),
  nullSpace({ basis: "lu" }),
  nullSpace({ basis: "svd" }),
  nullSpace({ basis: "gram-schmidt" }),
  nullSpace({ basis: "zero-eigenvalue" }),
  nullSpace({ basis: "extraction" }),
  accelerationProjection(),
  accelerationProjection({ basis: "lu" }),
  accelerationProjection({ basis: "svd" }),
  accelerationProjection({ basis: "gram-schmidt" }),
  accelerationProjection({ basis: "zero-eigenvalue" }),
  accelerationProjection({ basis: "extraction" }),
  projectionOperator(),
  projectionOperator({ basis: "svd" }),
  penalty(),
  augmentedLagrangian(),
  maggi(),
  maggi({ basis: "lu" }),
  maggi({ basis: "svd" }),
  maggi({ basis: "gram-schmidt" }),
  maggi({ basis: "zero-eigenvalue" }),
  maggi({ basis: "extraction" }),
  velocityTransformation(),
  frozenBasis(),
  frozenBasis({ basis: "svd" }),
  projective(),
  phaseSpace(),
  coordinatePartitioning(),
  coordinatePartitioning({ criterion: "projective" }),
];
