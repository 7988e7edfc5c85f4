// The integrators of the registries, by what they are: tests of a kind run for each of them.

import { integrators } from "nodrift";
import { adaptiveIntegrators } from "nodrift/solve";

const made = Object.values(adaptiveIntegrators).map((make) => make());

/** Steps of one length. */
export const fixedStep = Object.values(integrators).map((make) => make());
/** To a tolerance, not implicit. */
export const explicit = made.filter(({ isImplicit }) => !isImplicit);
/** Those of them that remember no steps: Runge-Kutta methods. */
export const embedded = explicit.filter(({ isMultistep }) => !isMultistep);
/** For stiff motion. */
export const implicit = made.filter(({ isImplicit }) => isImplicit);
