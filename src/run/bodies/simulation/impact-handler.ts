// Impacts at rigid stops under fixed time steps. A step that crosses a limit is cut at the impact, the impulse is
// applied with all joints closed (impulses.ts), and the remainder of the step follows, so the time grid is kept.
// Rebound speed u and return acceleration a give a flight time of 2 u / a. If it is shorter than 1/1000 of the step
// (1/8 after 16 impacts in the same step), the contact becomes a constraint row that holds while its force is
// compressive. A contact hit more than 64 times without coming to rest, as between two close stops, fails the step with
// an error that names the stop.
//
// Rejected: impulses at the end of the step that crossed a limit. Resting contacts would sink by one step's path in
// each step. Rejected: coming to rest below a threshold speed, which depends neither on gravity nor on the scale of the
// model.

import { Sensor } from "../../../../assembly/layout-bodies.js";
import type { BodyAccess, Method } from "../../../interfaces/index.js";
import type { HeldCoordinates } from "../../../model/held-coordinates.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import {
  CONTACT_GAP,
  isSame,
  type Limit,
  limitContact,
  limitName,
  limitsOf,
  PENETRATION_TOLERANCE,
  penetrationError,
  restingRowName,
  tooManyImpactsError,
  ZERO_CONTACT_RATE,
} from "../../contact/contact.js";
import { withLocks } from "../../contact/joint-locks.js";
import type { InitialMemory } from "../../stepping/snapshot.js";
import type { SavedState, StepInterceptor } from "../../stepping/stepped-system.js";
import { driveFactor } from "../reactions/drive-forces.js";
import { Readout, type SharedProbe } from "../reading/readout.js";
import { type Mechanism, mechanismOf } from "./mechanism.js";

// Location of an impact inside a step. The penetration g and its rate g' can be evaluated at any length s of a step
// from the same state, at the cost of that step. Newton's iteration inside a bracket finds the zero in about four
// steps. Rejected: a polynomial through both ends of the step. It is cheaper, but its zero is not a state of the
// method: a bouncing contact would start beyond the limit by the error of the polynomial, and sink by that in each
// bounce.

/** Penetration of a joint beyond a limit (negative inside it), and its rate. */
interface Gap {
  readonly penetration: number;
  readonly rate: number;
}

/** Gap before the limit that counts as contact, relative to 1 + abs(limit). */
const CONTACT_TOLERANCE = 1e-13;
/** Bracket width treated as zero, in steps. */
const BRACKET_TOLERANCE = 1e-13;
/** Bisections from a full step down to that width. */
const MAX_BISECTIONS = 44;

/**
 * Returns the length of step in (0, s] at which the limit is reached from inside; 0 if the joint is beyond it from the
 * start. `at` takes the step and measures. The last step it takes is that of the result.
 */
function locateImpact(
  s: number,
  before: Gap,
  after: Gap,
  size: number,
  at: (length: number) => Gap,
): number {
  let [inside, outside] = [0, s];
  let x = s * estimateRoot(before, after, s);
  const tolerance = CONTACT_TOLERANCE * size;
  for (let i = 0; i < 2 * MAX_BISECTIONS && outside - inside > BRACKET_TOLERANCE * s; i++) {
    const { penetration, rate } = at(x);
    if (penetration <= 0 && penetration >= -tolerance && rate > 0) return x;
    if (penetration > 0) outside = x;
    else inside = x;
    const newton = x - (penetration + tolerance / 2) / rate;
    const isUsable = rate > 0 && newton > inside && newton < outside && i < MAX_BISECTIONS;
    x = isUsable ? newton : inside + (outside - inside) / 2;
  }
  if (inside > 0) at(inside);
  return inside;
}

/** Estimates where the cubic through both ends and their rates rises through zero, as a fraction of the step. */
function estimateRoot(before: Gap, after: Gap, s: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (cubicAt(before, after, s, middle) > 0) high = middle;
    else low = middle;
  }
  return high;
}

/** Hermite's cubic at a fraction x of a step of length s. */
function cubicAt(before: Gap, after: Gap, s: number, x: number): number {
  const y = 1 - x;
  return (
    y * y * ((1 + 2 * x) * before.penetration + x * s * before.rate) +
    x * x * ((1 + 2 * y) * after.penetration - y * s * after.rate)
  );
}

/**
 * Returns the length to the highest penetration if a limit may have been crossed and left again inside a step of length
 * s; undefined if both ends rule that out. Twelve samples suffice to see a peak between diverging ends.
 */
function locatePeak(s: number, before: Gap, after: Gap): number | undefined {
  if (!(before.rate > 0 && after.rate < 0)) return undefined;
  let peak = 0;
  let highest = 0;
  for (let i = 1; i < 12; i++) {
    const depth = cubicAt(before, after, s, i / 12);
    if (!(depth > highest)) continue;
    peak = i / 12;
    highest = depth;
  }
  return highest > 0 ? peak * s : undefined;
}

/**
 * Returns the length of step in (0, s] at which the contact force changes from push to pull, `after` < 0 < `before`. It
 * uses the rule of false position with halved weight of a retained end (Illinois). `at` takes the step and returns the
 * force. The last step it takes is that of the result.
 */
function locateRelease(
  s: number,
  before: number,
  after: number,
  at: (length: number) => number,
): number {
  let [pushEnd, pullEnd] = [0, s];
  let [pushForce, pullForce] = [before, after];
  const tolerance = 1e-12 * Math.max(before, -after);
  let last = 0;
  for (
    let i = 0;
    i < MAX_BISECTIONS && pullEnd - pushEnd > 1e-11 * s && pullForce < -tolerance;
    i++
  ) {
    const x = pullEnd - (pullForce * (pullEnd - pushEnd)) / (pullForce - pushForce);
    const push = at(x);
    if (push > 0) {
      [pushEnd, pushForce] = [x, push];
      if (last > 0) pullForce /= 2;
    } else {
      [pullEnd, pullForce] = [x, push];
      if (last < 0) pushForce /= 2;
    }
    last = push > 0 ? 1 : -1;
  }
  at(pullEnd);
  return pullEnd;
}

// Contact modes: copies of the mechanism with one constraint row per resting contact, created on first use and cached.
// A contact mode holds no state of its own: each substep copies the state from the free mechanism, steps and copies it
// back. Its memory is reset before every substep, so snapshots exclude it. Joint coordinates are copied directly if
// both mechanisms have the same tree, because recomputing them from the bodies allocates hundreds of objects.

/** The mechanism with resting contacts at some limits. */
interface ContactMode {
  readonly limits: readonly Limit[];
  readonly mechanism: Mechanism;
  readonly memory: InitialMemory;
  readonly readout: Readout;
  /** Kind of state transfer that fits the joints. */
  readonly transferKind: "asGiven" | "sameNumbers";
  /** Block of each limit, and contact force of each stop: see {@link contactForces}. */
  readonly blocks: Plan["blocks"];
  readonly forces: Float64Array;
  /**
   * No other rows share the load of the contact rows, at the pose of the first resting contact, so that all runs agree.
   */
  readonly isUnique: boolean;
  /** Memory of the readings, for other readers of this mode. */
  readonly shared: SharedProbe;
}

/** A set of limits, and the state in which a contact first came to rest there. Plain data. */
interface SavedContactMode {
  readonly limits: readonly string[];
  readonly held: HeldCoordinates;
}

class ContactModeCache {
  readonly #free: Mechanism;
  readonly #method: Method;
  readonly #modes = new Map<string, ContactMode>();
  #saved: SavedContactMode[] = [];

  constructor(free: Mechanism, method: Method) {
    this.#free = free;
    this.#method = method;
  }

  /** Data needed to recreate the cached contact modes. */
  get saved(): readonly SavedContactMode[] {
    return this.#saved;
  }

  set saved(modes: readonly SavedContactMode[]) {
    for (const { limits, held } of this.#saved) {
      const other = modes.find((each) => keyOf(each.limits) === keyOf(limits));
      const isSame = JSON.stringify(other?.held) === JSON.stringify(held);
      if (!isSame) this.#modes.delete(keyOf(limits));
    }
    this.#saved = [...modes];
  }

  /** Returns the contact mode of some limits, in the state of the free mechanism. */
  at(limits: readonly Limit[], t: number, start: "assemble" | "asGiven"): ContactMode {
    const names = limits.map(limitName);
    const mode = this.#modes.get(keyOf(names)) ?? this.#create(limits, names);
    this.copyFromFree(mode, t, start);
    return mode;
  }

  /** Copies the state of the free mechanism into a contact mode. */
  copyFromFree(mode: ContactMode, t: number, start: "assemble" | "asGiven" = "asGiven"): void {
    const { stepped } = mode.mechanism;
    stepped.renew(mode.memory);
    const how = start === "asGiven" ? mode.transferKind : start;
    stepped.continueFrom(this.#free.stepped, t, how);
    stepped.time = t;
  }

  /** Copies the state of a contact mode into the free mechanism. */
  copyToFree({ mechanism, transferKind }: ContactMode, t: number): void {
    this.#free.stepped.continueFrom(mechanism.stepped, t, transferKind);
  }

  #create(limits: readonly Limit[], names: readonly string[]): ContactMode {
    const { source, stepped } = this.#free;
    const saved = this.#saved.find((each) => keyOf(each.limits) === keyOf(names));
    const locks = source.settings.held?.rows ?? [];
    const rows = limits.map((limit) => {
      const { sensor, value } = limit;
      return { name: restingRowName(limit), sensor, value };
    });
    const { unwrappedAngles, view } = stepped;
    const at = { q: view.q, unwrappedAngles };
    const now = () => withLocks(source.settings, [...locks, ...rows], at);
    const settings = saved ? { ...source.settings, held: saved.held } : now();
    if (saved === undefined) this.#saved.push({ limits: names, held: settings.held! });
    const { model } = source.withSettings(settings);
    const mechanism = mechanismOf(model, this.#method);
    mechanism.externalLoads.mirror(this.#free.externalLoads);
    mechanism.stepped.loads = mechanism.externalLoads;
    const shared: SharedProbe = {};
    const readout = new Readout(
      model,
      () => mechanism.present,
      shared,
      () => mechanism.externalLoads.acting,
    );
    const memory = mechanism.stepped.initialMemory();
    const blocks = limits.map((limit) => {
      const joint = model.data.joints.findIndex(({ name }) => name === restingRowName(limit));
      return model.plan.blocks.find((block) => block.joint === joint)!;
    });
    const transferKind = haveSameTree(this.#free, mechanism) ? "sameNumbers" : "asGiven";
    const forces = new Float64Array(limits.length);
    const vectors = readout.reactions.nullVectors();
    const isUnique = !blocks.some(({ firstRow }) =>
      vectors.some(({ rows }) => rows.includes(firstRow)),
    );
    const made = { limits, mechanism, memory, readout, shared };
    const mode: ContactMode = { ...made, transferKind, blocks, forces, isUnique };
    this.#modes.set(keyOf(names), mode);
    return mode;
  }
}

/** Returns the contact force of each stop, positive if it pushes, in memory that is reused. A stop cannot pull. */
function contactForces(mode: ContactMode): Float64Array {
  const { limits, readout, mechanism, blocks, forces, isUnique } = mode;
  const { reactions } = readout;
  const values = isUnique ? reactions.ownMultipliers() : reactions.multipliers().values;
  for (let i = 0; i < blocks.length; i++) {
    const { block, firstRow } = blocks[i]!;
    const factor = driveFactor(block.rows[0]!, mechanism.stepped.time);
    forces[i] = -limits[i]!.side * (values[firstRow]! * factor);
  }
  return forces;
}

/** Smallest force; NaN if one of them is. */
function minimum(forces: Float64Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < forces.length; i++) lowest = Math.min(lowest, forces[i]!);
  return lowest;
}

/**
 * Whether joint coordinates of two mechanisms are interchangeable: both integrate them along trees with the same nodes.
 */
function haveSameTree(one: Mechanism, other: Mechanism): boolean {
  const nodesOf = ({ source }: Mechanism) => JSON.stringify(source.tree.plan.tree.nodes);
  const alongTree = [one, other].every(({ coordinateChoice: { kind } }) => kind === "relative");
  return alongTree && nodesOf(one) === nodesOf(other);
}

function keyOf(limits: readonly string[]): string {
  return JSON.stringify([...limits].sort());
}

/** Penetration of a mechanism at each of some limits, as last measured. Allocated once: steps allocate nothing. */
class LimitGaps {
  readonly #limits: readonly Limit[];
  readonly #gaps: { penetration: number; rate: number }[];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#gaps = limits.map(() => ({ penetration: 0, rate: 0 }));
  }

  /** Measures the accepted state of a mechanism. */
  measure({ stepped: { system } }: Mechanism, t: number): void {
    system.load(t);
    const records = (system.bodies as BodyAccess).sensors(false);
    for (let i = 0; i < this.#limits.length; i++) {
      const { side, sensor, value } = this.#limits[i]!;
      const at = Sensor.LENGTH * sensor;
      const gap = this.#gaps[i]!;
      gap.penetration = side * (records[at + Sensor.VALUE]! - value);
      gap.rate = side * records[at + Sensor.RATE]!;
    }
  }

  /** Gap at the limit with an index. The object is reused. */
  at(index: number): Gap {
    return this.#gaps[index]!;
  }

  /** Copies the gaps of another instance. */
  copyFrom(other: LimitGaps): void {
    for (let i = 0; i < this.#gaps.length; i++) {
      const gap = this.#gaps[i]!;
      gap.penetration = other.at(i).penetration;
      gap.rate = other.at(i).rate;
    }
  }

  /** Copies of all gaps. */
  copies(): Gap[] {
    return this.#gaps.map((gap) => ({ ...gap }));
  }

  /** Throws if a limit has been crossed. */
  refusePenetration(t: number): void {
    for (let i = 0; i < this.#limits.length; i++) {
      const limit = this.#limits[i]!;
      const { penetration } = this.#gaps[i]!;
      if (penetration > PENETRATION_TOLERANCE * (1 + Math.abs(limit.value)))
        throw penetrationError(limit, penetration, t);
    }
  }
}

/** Flight times that count as rest, in steps; the second applies to contacts hit repeatedly in the same step. */
const REST_FLIGHT_STEPS = 1e-3;
const REST_FLIGHT_STEPS_REPEATED = 1 / 8;
/** Impacts at one limit in one step: the count from which they are repeated, and the maximum. */
const REPEATED_IMPACTS = 16;
const MAX_IMPACTS_PER_STEP = 64;
/** Fraction of a step over which accelerations are measured. */
const PROBE_STEP_FRACTION = 1e-4;

/** Shared empty list: most steps have no impacts, and allocate nothing. */
const NONE: readonly never[] = [];

/** An impact at a rigid stop. */
export interface Impact {
  /** Name of the limit, such as "anvil: upper". */
  readonly name: string;
  readonly time: number;
  /** Impulse of the stop on the joint, positive along its angle, displacement or length. */
  readonly impulse: number;
}

/** State of the rigid stops. Plain data. */
export interface StopsData {
  readonly resting: readonly string[];
  readonly caught: readonly SavedContactMode[];
}

export class ImpactHandler implements StepInterceptor {
  /** Impacts of the last step. */
  impacts: readonly Impact[] = NONE;
  readonly #free: Mechanism;
  readonly #modes: ContactModeCache;
  readonly #limits: readonly Limit[];
  readonly #gaps: LimitGaps;
  /** Gaps and state at the start of a step, for steps without impacts. */
  readonly #gapsBefore: LimitGaps;
  readonly #stateAtStart: SavedState;
  readonly #impactCounts = new Map<Limit, number>();
  /** Called when a contact has come to rest or separated. */
  readonly #onChange: (mode: ContactMode | undefined) => void;
  #reported: ContactMode | undefined;
  #mode: ContactMode | undefined;
  readonly #stateBefore: SavedState;
  #modeBefore: ContactMode | undefined;

  constructor(free: Mechanism, method: Method, onChange: (mode: ContactMode | undefined) => void) {
    this.#free = free;
    this.#modes = new ContactModeCache(free, method);
    this.#limits = limitsOf(free.source.data).filter(({ isRigid }) => isRigid);
    this.#gaps = new LimitGaps(this.#limits);
    this.#gapsBefore = new LimitGaps(this.#limits);
    this.#stateAtStart = free.stepped.keep();
    this.#stateBefore = free.stepped.keep();
    this.#onChange = onChange;
  }

  /**
   * Throws if the state is beyond a limit. Steps do so too, because states and limits may be set one after the other.
   */
  requireInside(): void {
    const { time } = this.#free.stepped;
    this.#gaps.measure(this.#free, time);
    this.#gaps.refusePenetration(time);
  }

  /** The contact mode with rows for the resting contacts; undefined without resting contacts. */
  get mode(): ContactMode | undefined {
    return this.#mode;
  }

  /** Drops all resting contacts. Call after the state was replaced; the next step finds the contacts that rest. */
  clear(): void {
    this.#setMode(undefined);
    this.#reportMode();
  }

  data(): StopsData {
    return { resting: (this.#mode?.limits ?? []).map(limitName), caught: this.#modes.saved };
  }

  /** Restores the contacts. Call after the free mechanism was restored to the same state. */
  restore({ resting, caught }: StopsData): void {
    this.#modes.saved = caught;
    const limits = this.#limits.filter((limit) => resting.includes(limitName(limit)));
    const { time } = this.#free.stepped;
    this.#setMode(limits.length > 0 ? this.#modes.at(limits, time, "asGiven") : undefined);
    this.#reportMode();
  }

  keep(): void {
    this.impacts = NONE;
    this.#modeBefore = this.#mode;
    this.#free.stepped.saveTo(this.#stateBefore);
  }

  restoreStep(): void {
    const mode = this.#modeBefore;
    const { stepped } = this.#free;
    stepped.restore(this.#stateBefore);
    this.#setMode(mode);
    if (mode) this.#modes.copyFromFree(mode, stepped.time);
    this.#reportMode();
  }

  handleStep(t: number, h: number): void {
    if (!this.#stepWithoutImpacts(t, h)) this.#handleImpacts(t, h);
  }

  /**
   * Takes the step if no limit is reached or released; otherwise returns false and leaves the state unchanged.
   * Allocates nothing.
   */
  #stepWithoutImpacts(t: number, h: number): boolean {
    const mode = this.#mode;
    const { stepped } = this.#free;
    this.#gaps.measure(this.#free, t);
    if (mode) this.#gaps.refusePenetration(t);
    for (let i = 0; i < this.#limits.length; i++) {
      if (this.#isFree(this.#limits[i]!) && this.#gaps.at(i).penetration >= -CONTACT_GAP)
        return false;
    }
    this.#gapsBefore.copyFrom(this.#gaps);
    if (mode) {
      // Bitwise the same length as in {@link #advance}, for stored runs.
      this.#stepInMode(mode, t, t + h - t);
      if (this.#isImpactFree(h) && !(minimum(contactForces(mode)) < 0)) {
        this.#modes.copyToFree(mode, t + h);
        return true;
      }
      return false;
    }
    stepped.saveTo(this.#stateAtStart);
    stepped.part(t, h);
    this.#gaps.measure(this.#free, t + h);
    if (this.#isImpactFree(h)) return true;
    stepped.restore(this.#stateAtStart);
    return false;
  }

  /** Whether the trial step of length h reaches no limit. */
  #isImpactFree(h: number): boolean {
    for (let i = 0; i < this.#limits.length; i++) {
      if (!this.#isFree(this.#limits[i]!)) continue;
      const after = this.#gaps.at(i);
      if (after.penetration > 0) return false;
      if (locatePeak(h, this.#gapsBefore.at(i), after) !== undefined) return false;
    }
    return true;
  }

  #handleImpacts(t: number, h: number): void {
    const end = t + h;
    let now = t;
    let handled: readonly Limit[] = [];
    this.#impactCounts.clear();
    for (;;) {
      this.#gaps.measure(this.#free, now);
      this.#gaps.refusePenetration(now);
      const closing = this.#limits.filter((limit, i) => {
        const { penetration, rate } = this.#gaps.at(i);
        return (
          !handled.includes(limit) &&
          this.#isFree(limit) &&
          penetration >= -CONTACT_GAP &&
          rate >= -ZERO_CONTACT_RATE
        );
      });
      if (closing.length > 0) {
        this.#applyImpacts(now, h, closing);
        handled = [...handled, ...closing];
        continue;
      }
      const { time, hit, left } = this.#advance(now, end);
      if (time > now) handled = [];
      now = time;
      if (left.length > 0) {
        this.#release(now, left);
        handled = [...handled, ...left];
      } else if (hit) {
        this.#applyImpacts(now, h, [hit]);
        handled = [...handled, hit];
      } else if (now === end) {
        break;
      }
    }
    this.#reportMode();
  }

  /** Advances to the end, or to the next impact or release; `hit` is set only if an impact precedes any motion. */
  #advance(now: number, end: number): { time: number; hit?: Limit; left: readonly Limit[] } {
    const { stepped } = this.#free;
    const saved = stepped.keep();
    const before = this.#gaps.copies();
    const attempts = { count: 0 };
    const to = (s: number) => this.#tryStep(now, s, saved, attempts);
    let s = end - now;
    to(s);
    for (;;) {
      const crossed = this.#findCrossedLimit(s, before, to);
      if (crossed === undefined) break;
      const { limit, index, length } = crossed;
      const size = 1 + Math.abs(limit.value);
      const found = locateImpact(length, before[index]!, { ...this.#gaps.at(index) }, size, (x) => {
        to(x);
        return this.#gaps.at(index);
      });
      if (!(found > 1e-12 * (end - now))) {
        stepped.restore(saved);
        return { time: now, hit: limit, left: [] };
      }
      s = found;
    }
    const left = this.#mode ? this.#findReleases(now, s, to) : { length: s, limits: [] };
    if (this.#mode) {
      if (left.length > 0) this.#modes.copyToFree(this.#mode, now + left.length);
    } else if (attempts.count > 1) stepped.jumped(now + s);
    const isWhole = left.length === end - now;
    return { time: isWhole ? end : now + left.length, left: left.limits };
  }

  /** Takes a trial step of length s from the saved state. */
  #tryStep(now: number, s: number, saved: SavedState, attempts: { count: number }): void {
    const mode = this.#mode;
    if (mode) this.#stepInMode(mode, now, s);
    else {
      if (attempts.count > 0) this.#free.stepped.restore(saved);
      this.#free.stepped.part(now, s);
      this.#gaps.measure(this.#free, now + s);
    }
    attempts.count++;
  }

  /** Takes a trial step of length s from the state of the free mechanism, which does not move. */
  #stepInMode(mode: ContactMode, now: number, s: number): void {
    const { mechanism } = mode;
    this.#modes.copyFromFree(mode, now);
    mechanism.stepped.part(now, s);
    mechanism.stepped.time = now + s;
    mechanism.stepped.view.moved();
    this.#gaps.measure(mechanism, now + s);
  }

  /** Returns a limit that the trial step of length s crossed, and the length of a step that ends beyond it. */
  #findCrossedLimit(s: number, before: readonly Gap[], to: (s: number) => void) {
    for (const [index, limit] of this.#limits.entries()) {
      if (this.#isFree(limit) && this.#gaps.at(index).penetration > 0) {
        return { limit, index, length: s };
      }
    }
    for (const [index, limit] of this.#limits.entries()) {
      const length = this.#isFree(limit)
        ? locatePeak(s, before[index]!, this.#gaps.at(index))
        : undefined;
      if (length === undefined) continue;
      to(length);
      if (this.#gaps.at(index).penetration > 0) return { limit, index, length };
      to(s);
    }
    return undefined;
  }

  /** Returns the limits released in the trial step of length s, and the length at which they are. */
  #findReleases(now: number, s: number, to: (s: number) => void) {
    const mode = this.#mode!;
    const lowest = () => minimum(contactForces(mode));
    const after = lowest();
    if (!(after < 0)) return { length: s, limits: [] };
    const pullingLimits = () => mode.limits.filter((_, i) => !(contactForces(mode)[i]! > 0));
    this.#modes.copyFromFree(mode, now);
    mode.mechanism.externalLoads.begin(Float64Array.of(now, s));
    const before = lowest();
    if (!(before > 0)) return { length: 0, limits: pullingLimits() };
    const length = locateRelease(s, before, after, (x) => {
      to(x);
      return lowest();
    });
    return { length, limits: pullingLimits() };
  }

  #release(now: number, left: readonly Limit[]): void {
    const remaining = this.#mode!.limits.filter((limit) => !left.includes(limit));
    this.#setMode(remaining.length > 0 ? this.#modes.at(remaining, now, "asGiven") : undefined);
  }

  /** Resolves the impact at some limits in the state of the free mechanism. */
  #applyImpacts(now: number, h: number, closing: readonly Limit[]): void {
    const { source, impulses, stepped } = this.#free;
    const resting = this.#mode?.limits ?? [];
    const contacts = [...closing, ...resting];
    const isOld = (limit: Limit) => resting.includes(limit);
    const {
      before,
      after,
      impulses: found,
    } = impulses!.applyImpacts(
      now,
      contacts.map((limit) =>
        limitContact(source.data, limit, isOld(limit) ? 0 : limit.restitution),
      ),
    );
    this.#setMode(undefined);
    stepped.jumped(now);
    this.#recordImpacts(now, contacts, before, found, resting);
    const isStill = (i: number) =>
      -after[i]! <= ZERO_CONTACT_RATE * Math.max(1, Math.abs(before[i]!));
    this.#bringToRest(
      now,
      h,
      contacts.filter((_, i) => isStill(i)),
    );
    const leaving = contacts.filter((_, i) => !isStill(i));
    const flightTimes = leaving.length > 0 ? this.#flightTimes(now, h) : [];
    const shortFlights = leaving.filter((limit) => {
      const isRepeated = this.#impactCounts.get(limit)! >= REPEATED_IMPACTS;
      return (
        flightTimes[this.#limits.indexOf(limit)]! <=
        h * (isRepeated ? REST_FLIGHT_STEPS_REPEATED : REST_FLIGHT_STEPS)
      );
    });
    if (shortFlights.length > 0)
      this.#bringToRest(now, h, [...(this.#mode?.limits ?? []), ...shortFlights]);
  }

  /** Records impacts, and counts them by limit. */
  #recordImpacts(
    now: number,
    contacts: readonly Limit[],
    before: readonly number[],
    found: readonly number[],
    resting: readonly Limit[],
  ): void {
    for (const [i, limit] of contacts.entries()) {
      const count = (this.#impactCounts.get(limit) ?? 0) + 1;
      this.#impactCounts.set(limit, count);
      if (count > MAX_IMPACTS_PER_STEP) throw tooManyImpactsError(limit, MAX_IMPACTS_PER_STEP, now);
      if (!(found[i]! > 0 && (resting.includes(limit) || before[i]! > ZERO_CONTACT_RATE))) continue;
      const impact = { name: limitName(limit), time: now, impulse: -limit.side * found[i]! };
      this.impacts = [...this.impacts, impact];
    }
  }

  /** Returns the flight time from each limit and back in the present state; infinite if no acceleration leads back. */
  #flightTimes(now: number, h: number): number[] {
    const saved = this.#free.stepped.keep();
    this.#gaps.measure(this.#free, now);
    const rates = this.#gaps.copies().map(({ rate }) => rate);
    this.#tryStep(now, PROBE_STEP_FRACTION * h, saved, { count: 0 });
    const flightTimes = this.#gaps.copies().map(({ rate }, i) => {
      const acceleration = (rate - rates[i]!) / (PROBE_STEP_FRACTION * h);
      return acceleration > 0 ? (-2 * rates[i]!) / acceleration : Number.POSITIVE_INFINITY;
    });
    this.#free.stepped.restore(saved);
    return flightTimes;
  }

  /** Brings those contacts to rest whose force is compressive. */
  #bringToRest(now: number, h: number, contacts: readonly Limit[]): void {
    this.#setMode(undefined);
    for (let held = contacts; held.length > 0; ) {
      const mode = this.#modes.at(held, now, "assemble");
      mode.mechanism.externalLoads.begin(Float64Array.of(now, h));
      const forces = contactForces(mode);
      const lowest = forces.indexOf(minimum(forces));
      if (forces[lowest]! > 0) {
        this.#modes.copyToFree(mode, now);
        this.#setMode(mode);
        return;
      }
      held = held.filter((_, i) => i !== lowest);
    }
  }

  #isFree(limit: Limit): boolean {
    const limits = this.#mode?.limits ?? NONE;
    for (let i = 0; i < limits.length; i++) if (isSame(limits[i]!, limit)) return false;
    return true;
  }

  #setMode(mode: ContactMode | undefined): void {
    this.#mode = mode;
  }

  #reportMode(): void {
    if (this.#reported === this.#mode) return;
    this.#reported = this.#mode;
    this.#onChange(this.#mode);
  }
}
