// The integrators of the registries by kind, for tests that run for each of a kind.

import { integrators } from "nodrift";
import { adaptiveIntegrators } from "nodrift/solve";

const made = Object.values(adaptiveIntegrators).map((make) => make());

/** Fixed-step integrators. */
export const fixedStep = Object.values(integrators).map((make) => make());
/** Explicit adaptive integrators. */
export const explicit = made.filter(({ isImplicit }) => !isImplicit);
/** Explicit adaptive one-step integrators: Runge-Kutta methods. */
export const embedded = explicit.filter(({ isMultistep }) => !isMultistep);
/** Implicit integrators, for stiff motion. */
export const implicit = made.filter(({ isImplicit }) => isImplicit);
