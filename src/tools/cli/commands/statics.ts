// Where a model comes to rest from its start, and what its joints carry there.

import type { CompiledModel, Equilibrium } from "../../../bodies.js";
import type { SummaryLine } from "../../report/summary.js";
import { count, short } from "../terminal/numbers.js";
import { frequencyTexts } from "./spectrum.js";

/**
 * Most bodies for which an equilibrium is searched for: its stiffness is computed by finite differences, in every step.
 */
const LARGEST = 20;
/** Bodies that are named one by one. */
const NAMED = 4;

export interface Statics {
  readonly found?: Equilibrium;
  /** Why there is none. */
  readonly problem?: string;
}

export function staticsOf(system: CompiledModel): Statics {
  if (system.data.bodies.length > LARGEST) {
    return { problem: `not looked for: there are more than ${LARGEST} bodies` };
  }
  try {
    return { found: system.equilibrium() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** As plain data. */
export function staticFindings(system: CompiledModel, { found, problem }: Statics) {
  if (!found) return { problem };
  const { state, stability, stiffness, free, residual, iterations, moved, linearisation } = found;
  return {
    stability,
    // JSON has no Infinity: null is a mechanism with nothing free.
    stiffness,
    free,
    residual,
    iterations,
    moved,
    eigenvalues: linearisation?.eigenvalues ?? [],
    frequencies: linearisation?.frequencies ?? [],
    positions: Object.fromEntries(
      system.data.bodies.map(({ name }) => [name, state.body(name).position]),
    ),
    reactions: Object.fromEntries(
      system.data.joints.map(({ name, blocks }) => {
        const joint = state.joint(name);
        // The user's own rows act on each body in their own way.
        const isUsers = blocks.some(({ user }) => user);
        if (isUsers) return [name, { multipliers: joint.multipliers }];
        return [name, { force: joint.force(), torque: joint.torque() }];
      }),
    ),
  };
}

export function staticLines({ found, problem }: Statics, timeUnit: string): SummaryLine[] {
  if (!found) return [{ label: "equilibrium", text: problem ?? "none" }];
  const { stability, moved, free, linearisation } = found;
  const [lowest] = linearisation ? frequencyTexts(linearisation, timeUnit) : [];
  const place = moved > 1e-9 ? `${short(moved, 3)} away from the start` : "the start";
  const slow = lowest === undefined ? "" : `, lowest frequency ${lowest}`;
  const names = free.length > NAMED ? `${count(free.length)} bodies` : free.join(", ");
  const loose = free.length > 0 ? `; nothing holds ${names} in some direction` : "";
  return [
    {
      label: "equilibrium",
      text: `${stability}: ${place}${slow}${loose}`,
      tone: stability === "stable" ? "good" : "warn",
    },
  ];
}
