import type { Plan } from "../plan/plan.js";

/**
 * Names of user functions without derivatives (force laws, forces and constraints); if any, the whole Jacobian is
 * computed by finite differences.
 */
export function functionsOf({ model }: Plan): string[] {
  const { forces, userForces, joints, states } = model;
  return [
    ...states.filter(({ formulas }) => !formulas),
    ...forces.filter(({ update, derive, reaction }) => (update && !derive) || reaction),
    ...userForces.filter(({ apply }) => apply),
    ...joints.filter(({ blocks }) => blocks.some(({ user }) => user?.value)),
  ].map(({ name }) => name);
}
