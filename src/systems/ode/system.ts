import type { Address } from "../../ground/memory/arena.js";
import { Workspace } from "../../ground/memory/workspace.js";
import type { ConstraintSolver, OdeFunctions, System } from "../../seam/methods.js";
import type { OdeDescription } from "./description.js";
import { blownUp, odeFunctions } from "./functions.js";

/** There are no velocities and no constraints: what acts on them has nothing to do. */
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
};

/** y' = f(t, y) as a system: y are its positions, and it has no velocities. */
export class OdeSystem implements System {
  readonly workspace = new Workspace();
  readonly name: string;
  readonly positions: number;
  readonly velocities = 0;
  readonly rows = 0;
  readonly holonomicRows = 0;
  readonly ratesAreVelocities = false;
  readonly hasPotential = false;
  readonly coordinateNames: readonly string[] = [];
  readonly rowNames: readonly string[] = [];
  readonly positionNames: readonly string[];
  readonly state: Address;
  readonly trial: Address;
  readonly ode: OdeFunctions;
  time = 0;
  factorisations = 0;
  readonly #empty: Address;
  #y = new Float64Array(0);

  constructor(name: string, names: readonly string[], description: OdeDescription) {
    const { workspace } = this;
    const n = names.length;
    this.name = name;
    this.positions = n;
    this.positionNames = names;
    // One more, as all systems have, for the work that stabilisations may count.
    this.state = workspace.vector("state", n + 1);
    const trial = workspace.reserve("trial state", n + 1);
    const y = { ...trial, slots: n };
    this.trial = trial.address;
    this.#empty = workspace.vector("rows, of which there are none", 0);
    this.ode = odeFunctions({ name, names, workspace, y }, description);
    workspace.whenSealed((arena) => {
      this.#y = arena.floats(y);
    });
  }

  at(t: number): void {
    this.time = t;
  }

  /** The rate of y does not come from velocities. */
  positionRate(_v: Address, _scale: number, _correction: Address, out: Address): void {
    this.ode.rate(this.time, out);
  }

  /** No kernel is called that could fail but for a state that is not finite. */
  blame(): Error {
    const index = Math.max(
      0,
      this.#y.findIndex((value) => !Number.isFinite(value)),
    );
    const [unknown, value] = [this.positionNames[index] as string, this.#y[index] as number];
    return blownUp(this.name, unknown, this.time, value);
  }

  readonly jacobianTimes = nothing;
  readonly jacobianTransposeTimes = nothing;
  readonly massTimes = nothing;
  readonly displace = nothing;
  readonly potentialGradient = nothing;
  readonly kineticGradient = nothing;
  readonly potential = none;
  readonly kineticEnergy = none;
  readonly power = none;
  readonly forces = (): Address => this.#empty;
  readonly phi = (): Address => this.#empty;
  readonly phiDot = (): Address => this.#empty;
  readonly gamma = (): Address => this.#empty;
  readonly solver = (): ConstraintSolver => SOLVER;
}
