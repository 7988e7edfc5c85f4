import type { Address } from "../../base/memory/arena.js";
import { Workspace } from "../../base/memory/workspace.js";
import { initSync } from "../../base/wasm/module.js";
import type {
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  Dynamics,
  Energy,
  Matrices,
  OdeFunctions,
  StateAddress,
  System,
} from "../../interfaces/index.js";
import { NO_CONTINUATION, NO_DERIVATIVES } from "../system-parts.js";
import { blownUp, type Owner } from "./ode-functions.js";

/** Without velocities and constraints, operators on them do nothing. */
const nothing = () => {};
const none = () => 0;

const SOLVER: ConstraintSolver = {
  kind: "auto",
  factor: nothing,
  massSolve: nothing,
  accelerate: nothing,
  rates: nothing,
  minnorm: nothing,
  multipliers: nothing,
  rank: none,
  refinesStages: false,
  keepFactor: nothing,
  dropFactor: nothing,
};

const ENERGY: Energy = {
  hasPotential: false,
  isConservative: false,
  potential: none,
  kinetic: none,
  power: none,
  potentialGradient: nothing,
  kineticGradient: nothing,
};

/** y' = f(t, y) as a system: y are its positions, and it has no velocities. */
export class OdeSystem implements System {
  readonly workspace = new Workspace(initSync);
  readonly name: string;
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly energy = ENERGY;
  readonly continuation: Continuation;
  readonly matrices: Matrices = NO_DERIVATIVES;
  readonly ode: OdeFunctions;
  readonly state: StateAddress;
  readonly trial: StateAddress;
  time = 0;
  readonly #names: readonly string[];
  readonly #prepare: (() => void) | undefined;
  #y = new Float64Array(0);

  /** `functionsOf` creates f in memory that it reserves; `prepare` is called before steps. */
  constructor(
    name: string,
    names: readonly string[],
    functionsOf: (owner: Owner) => OdeFunctions,
    prepare?: () => void,
  ) {
    const { workspace } = this;
    const n = names.length;
    this.name = name;
    this.#names = names;
    // One more slot, as in all systems, for the work that stabilisations may integrate.
    const at = (q: Address) => ({ q, v: q + 8 * n, work: q + 8 * n });
    this.state = at(workspace.vector("state", n + 1));
    const trial = workspace.reserve("trial state", n + 1);
    const y = { ...trial, slots: n };
    this.trial = at(trial.address);
    const empty = workspace.vector("rows, of which there are none", 0);
    const doubts: string[] = [];
    this.ode = functionsOf({ name, names, workspace, y, state: this.state.q, doubts });
    this.continuation = { ...NO_CONTINUATION, doubts, ...(prepare && { beginStep: prepare }) };
    this.#prepare = prepare;
    this.coordinates = {
      positions: n,
      velocities: 0,
      ratesAreVelocities: false,
      velocityNames: [],
      positionNames: names,
      states: { firstPosition: n, firstVelocity: 0, idle: 0 },
      positionScale: 0,
      normalise: nothing,
      useUnnormalised: nothing,
      // The rate of y does not come from velocities.
      positionRate: (_v, _scale, _correction, out) => this.ode.rate(this.time, out),
      displace: nothing,
    };
    this.constraints = noConstraints(empty);
    this.dynamics = {
      forces: () => empty,
      massTimes: nothing,
      solver: () => SOLVER,
      factorisations: 0,
      ignoresVelocities: false,
    };
    workspace.whenSealed((arena) => {
      this.#y = arena.floats(y);
    });
  }

  load(t: number): void {
    this.#prepare?.();
    this.workspace.kernels.copyVector(this.coordinates.positions, this.state.q, this.trial.q);
    this.at(t);
  }

  store(): void {
    this.workspace.kernels.copyVector(this.coordinates.positions, this.trial.q, this.state.q);
  }

  at(t: number): void {
    this.time = t;
  }

  readonly atVelocity = nothing;

  /** Only a state that is not finite can make a kernel fail here. */
  errorFor(): Error {
    const index = Math.max(
      0,
      this.#y.findIndex((value) => !Number.isFinite(value)),
    );
    const [unknown, value] = [this.#names[index] as string, this.#y[index] as number];
    return blownUp(this.name, unknown, this.time, value);
  }
}

function noConstraints(empty: Address): Constraints {
  return {
    rows: 0,
    holonomicRows: 0,
    rowNames: [],
    areTimeless: false,
    residualUnit: 1,
    phi: () => empty,
    phiDot: () => empty,
    gamma: () => empty,
    jacobianTimes: nothing,
    jacobianTransposeTimes: nothing,
  };
}
