// Derivatives of a mechanism, by the stiff module. A file of its own: programs that ask for none do not
// load the module.

import type { Address } from "../memory/arena.js";
import { stiffMemory } from "../newton/kernels.js";
import type { BodySystem } from "./system.js";

export interface BodyDerivatives {
  /**
   * Adds the derivatives of the forces at the trial state, by displacements to `stiffness` and by velocities
   * to `damping`: dense, velocities x velocities, by columns. Displacements are along the world's axes and
   * about those of bodies. What `functionsOf` names is taken for constant.
   */
  forceDerivatives(stiffness: Address, damping: Address): void;
}

/** Brings the module of derivatives into the memory of a system that is not yet sealed. */
export function bindDerivatives(system: BodySystem): BodyDerivatives {
  const stiff = stiffMemory(system.workspace);
  return {
    forceDerivatives(stiffness, damping) {
      system.deriveForces();
      stiff.kernels.bodyForceDerivatives(system.table, stiffness, damping);
    },
  };
}
