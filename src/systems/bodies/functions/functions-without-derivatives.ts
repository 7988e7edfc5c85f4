import type { Plan } from "../plan/plan.js";

/**
 * Names of what is a function of the user and does not say how it changes: laws of forces, forces and
 * constraints. Where there are any, derivatives of the whole are to be found by differences.
 */
export function functionsOf({ model }: Plan): string[] {
  const { forces, userForces, joints } = model;
  return [
    ...forces.filter(({ update, derive }) => update && !derive),
    ...userForces,
    ...joints.filter(({ blocks }) => blocks.some(({ user }) => user)),
  ].map(({ name }) => name);
}
