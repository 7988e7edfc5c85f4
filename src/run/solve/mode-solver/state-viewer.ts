import type { Address } from "../../../base/memory/arena.js";
import type { State, StateData, System, SystemSource } from "../../../interfaces/index.js";
import { bindProjector, type Projector } from "../../../interfaces/projection/projector.js";
import { writeHermite } from "../../../methods/integrators/hermite.js";
import { type Equations, equationParts } from "../../../systems/equations/equations-types.js";
import type { PublicView } from "../../public/public-view.js";
import type { Source } from "../setup/options.js";
import type { TrialStepper } from "../trial/trial-stepper.js";

/** A step as a polynomial: a copy of the rows of its nested form (see AdaptiveStepper). */
interface StepPolynomial {
  readonly from: number;
  readonly h: number;
  readonly rows: Float64Array;
  /** Unwrapped angles at its beginning, then at its end. */
  readonly unwrappedAngles: Float64Array;
}

/**
 * States within the last step: on the method's own polynomial if it has one in the coordinates of the state, else on
 * the cubic through the values and slopes of both ends.
 */
class Interpolation {
  readonly #trial: TrialStepper;
  readonly #system: System;
  readonly #rows: number;
  readonly #stride: number;
  readonly #coefficients: Address;
  readonly #weights: Address;
  #weight = new Float64Array(0);
  #all = new Float64Array(0);
  #from = 0;
  #h = 0;
  /** Index of the interpolated attempt. */
  #attempt = -1;
  readonly #unwrappedAngles: Float64Array;
  /** The second half of the unwrapped angles: those at the end of the step. */
  readonly #anglesAfter: Float64Array;

  constructor(trial: TrialStepper) {
    const { system, stateInterpolant } = trial;
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    this.#trial = trial;
    this.#system = system;
    this.#unwrappedAngles = new Float64Array(2 * trial.anglesBefore.length);
    this.#anglesAfter = this.#unwrappedAngles.subarray(trial.anglesBefore.length);
    this.#rows = stateInterpolant?.interpolantRows ?? 4;
    this.#stride = stateInterpolant?.stride ?? positions + velocities;
    const all = workspace.reserve("interpolant", this.#rows * this.#stride);
    const weights = workspace.reserve("weights of the interpolant", this.#rows);
    this.#coefficients = all.address;
    this.#weights = weights.address;
    workspace.whenSealed((arena) => {
      this.#weight = arena.floats(weights);
      this.#all = arena.floats(all);
    });
  }

  /** Sets the step from t, taken but not committed, as the interpolated one. */
  prepare(t: number, h: number): void {
    const { stateInterpolant, before, attempts } = this.#trial;
    if (attempts === this.#attempt) return;
    this.#attempt = attempts;
    this.#from = t;
    this.#h = h;
    this.#unwrappedAngles.set(this.#trial.anglesBefore);
    this.#system.continuation.unwrappedAngles?.read(this.#anglesAfter);
    if (stateInterpolant) stateInterpolant.interpolant(t, h, before, this.#coefficients);
    else this.#hermite(t, h);
    this.#trial.dropFactor();
  }

  /** Writes q and v, followed by the work if that is integrated, at a time within the step. */
  at(t: number, out: Address): void {
    const s = this.#fractionAt(t);
    let product = 1;
    for (let k = 1; k < this.#rows; k++) {
      product *= k % 2 === 1 ? s : 1 - s;
      this.#weight[k] = product;
    }
    const { kernels } = this.#system.workspace;
    const c0 = this.#coefficients;
    const c1 = c0 + 8 * this.#stride;
    kernels.combine(this.#stride, this.#rows - 1, 1, c0, c1, this.#weights + 8, out);
  }

  /** Writes approximate angles at a time within the step, accurate enough to identify the revolution. */
  anglesAt(t: number, out: Float64Array): void {
    const s = this.#fractionAt(t);
    const unwrappedAngles = this.#unwrappedAngles;
    for (let i = 0; i < out.length; i++) {
      out[i] = (1 - s) * unwrappedAngles[i]! + s * unwrappedAngles[out.length + i]!;
    }
  }

  /** Returns a copy of the present step. */
  copy(): StepPolynomial {
    return {
      from: this.#from,
      h: this.#h,
      rows: this.#all.slice(),
      unwrappedAngles: this.#unwrappedAngles.slice(),
    };
  }

  /** Sets a copied step as the interpolated one. */
  load({ from, h, rows, unwrappedAngles }: StepPolynomial): void {
    this.#attempt = -1;
    this.#from = from;
    this.#h = h;
    this.#all.set(rows);
    this.#unwrappedAngles.set(unwrappedAngles);
  }

  #fractionAt(t: number): number {
    return this.#h === 0 ? 0 : (t - this.#from) / this.#h;
  }

  #hermite(t: number, h: number): void {
    const { before, ends } = this.#trial;
    const { state, workspace } = this.#system;
    const first = ends.requireBefore(t, before);
    const last = ends.requireAfter(t + h, state.q);
    writeHermite(workspace, this.#stride, h, before, state.q, first, last, this.#coefficients);
  }
}

/** Interpolated states violate the constraints by up to the tolerance. */
const VIEW_PROJECTION = { iterations: 4, tolerance: 1e-14, near: true } as const;

/** The viewed state, overwritten by the next one. */
interface ViewedState {
  time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly unwrappedAngles: Float64Array;
}

/** A step with the signs of its public Euler parameters. */
export interface ShownPiece extends StepPolynomial {
  /** Signs of Euler parameters. */
  readonly signs: Float64Array;
}

/** Creates a state of a source from its values. */
export function stateOf<T extends State>(source: Equations | SystemSource, data: StateData): T {
  if (!("system" in source)) return source[equationParts].state(source, data) as T;
  return (source as SystemSource<T>).state?.(data) ?? (data as State as T);
}

/** Provides user functions and output with accepted and interpolated states. */
export class StateViewer<T extends State> {
  readonly interpolation: Interpolation;
  #source: Source;
  readonly #system: System;
  readonly #trial: TrialStepper;
  readonly #publicView: PublicView;
  readonly #projector: Projector;
  /** Address of the viewed state, in public coordinates. */
  readonly #address: Address;
  /** Address of an interpolated state in the coordinates of the system: the viewed state itself if these are public. */
  readonly #interpolated: Address;
  readonly #savedState: Address;
  readonly #anglesNow: Float64Array;
  #viewer!: ViewedState;
  /** The viewed state, always the same object. */
  #view!: T;

  constructor(source: Source, system: System, trial: TrialStepper, view: PublicView) {
    this.#source = source;
    this.#system = system;
    this.#trial = trial;
    this.#publicView = view;
    this.interpolation = new Interpolation(trial);
    this.#projector = bindProjector(system, VIEW_PROJECTION);
    const { workspace } = system;
    const { positions, velocities } = view.coordinates;
    const size = system.coordinates.positions + system.coordinates.velocities + 1;
    const viewer = workspace.reserve("state that is looked at", view.size + 1);
    this.#address = viewer.address;
    this.#interpolated = system.publicState
      ? workspace.vector("state between that is looked at", size)
      : viewer.address;
    this.#savedState = workspace.vector("state kept while others are projected", size);
    const unwrappedAngles = new Float64Array(system.continuation.unwrappedAngles?.count ?? 0);
    this.#anglesNow = unwrappedAngles.slice();
    workspace.whenSealed((arena) => {
      const q = arena.floats({ ...viewer, slots: positions });
      const address = viewer.address + 8 * positions;
      const v = arena.floats({ ...viewer, address, slots: velocities });
      this.#viewer = { time: 0, q, v, unwrappedAngles };
      this.#view = this.restored(this.#viewer);
    });
  }

  /** Creates the viewed states from this source from now on. */
  use(source: Source): void {
    if (source === this.#source) return;
    this.#source = source;
    this.#view = this.restored(this.#viewer);
  }

  /** Views the accepted state. */
  atAccepted(t: number): T {
    return this.atBefore(t, this.#system.state.q);
  }

  /** Views the public state, which an action may have changed. */
  atShown(t: number): T {
    const { size, address } = this.#publicView;
    this.#system.workspace.kernels.copyVector(size, address, this.#address);
    return this.#viewAt(t);
  }

  /** Views the state before the present step, or before an action. */
  atBefore(t: number, state: Address): T {
    this.#publicView.write(state, this.#address);
    return this.#viewAt(t);
  }

  /** Views a state slightly ahead of the accepted one, along its slopes. */
  atExtrapolated(t: number, h: number): T {
    const { workspace, state } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const slopes = this.#trial.ends.requireBefore(t, state.q);
    workspace.kernels.axpy(positions + velocities, h, slopes, state.q, this.#interpolated);
    this.#showInterpolated();
    return this.#viewAt(t + h);
  }

  /** Views a state within the step, on its polynomial. */
  atInterpolated(t: number): T {
    this.interpolation.at(t, this.#interpolated);
    this.#showInterpolated();
    return this.#viewInterpolatedAt(t);
  }

  /** Views a state within the step, projected onto the constraints. */
  atProjected(t: number): T {
    const system = this.#system;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    const size = positions + velocities;
    this.interpolation.at(t, this.#interpolated);
    system.coordinates.normalise?.(this.#interpolated);
    if (rows > 0) {
      kernels.copyVector(size, state.q, this.#savedState);
      kernels.copyVector(size, this.#interpolated, state.q);
      try {
        this.#project(t);
        system.coordinates.normalise?.(state.q);
        kernels.copyVector(size, state.q, this.#interpolated);
      } finally {
        kernels.copyVector(size, this.#savedState, state.q);
      }
    }
    this.#showInterpolated();
    return this.#viewInterpolatedAt(t);
  }

  /** Returns a copy of the interpolated step. */
  copyPiece(): ShownPiece {
    return { ...this.interpolation.copy(), signs: this.#publicView.signs() };
  }

  /** Sets a copied step as the interpolated one. */
  loadPiece(piece: ShownPiece): void {
    this.interpolation.load(piece);
    this.#publicView.useSigns(piece.signs);
  }

  /** Returns a copy of the viewed state. */
  snapshot(): T {
    const { time, q, v, unwrappedAngles } = this.#viewer;
    return this.restored({
      time,
      q: q.slice(),
      v: v.slice(),
      unwrappedAngles: unwrappedAngles.slice(),
    });
  }

  /** Creates a state from its values. */
  restored(data: StateData): T {
    return stateOf(this.#source, data);
  }

  get unwrappedAngles(): Float64Array {
    return this.#viewer.unwrappedAngles;
  }

  /** Writes the interpolated state in public coordinates to the viewed state. */
  #showInterpolated(): void {
    if (this.#interpolated === this.#address) return;
    this.#system.coordinates.normalise?.(this.#interpolated);
    this.#publicView.write(this.#interpolated, this.#address);
  }

  #viewAt(t: number): T {
    this.#viewer.time = t;
    this.#system.continuation.unwrappedAngles?.read(this.#viewer.unwrappedAngles);
    return this.#view;
  }

  /**
   * Projects with angles unwrapped near their interpolated values, so that constraints on angles hold in the right
   * revolution.
   */
  #project(t: number): void {
    const { unwrappedAngles } = this.#system.continuation;
    unwrappedAngles?.read(this.#anglesNow);
    this.interpolation.anglesAt(t, this.#viewer.unwrappedAngles);
    unwrappedAngles?.write(this.#viewer.unwrappedAngles);
    try {
      this.#projector.positions(t);
      this.#projector.velocities(t);
    } finally {
      unwrappedAngles?.write(this.#anglesNow);
    }
  }

  #viewInterpolatedAt(t: number): T {
    this.#viewer.time = t;
    this.interpolation.anglesAt(t, this.#viewer.unwrappedAngles);
    return this.#view;
  }
}
