import { finite, flag, limit, oneOf, type Shape } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { type StopSignal, stopSignal } from "../../base/run-limits.js";
import type { ModelData } from "../../model/model-data.js";
import {
  checkStart,
  START_SHAPE,
  type StartOptions,
} from "../../systems/bodies/initial-state/initial-state.js";
import { checkedPins, type TreePins } from "../../systems/relative/plan/choose-tree.js";
import { checkJoints, type JointValues, jointValues } from "./coordinates/joint-values.js";

/** Options of a compiled model, in addition to its description. */
export interface CompiledOptions extends StartOptions {
  /** Time of the initial state in seconds. Default: 0. */
  readonly time?: number;
  /**
   * Do not normalise Euler parameters in Runge-Kutta stages, to compare with codes that integrate them like other
   * coordinates. Larger constraint errors. Default: false.
   */
  readonly unnormalisedEulerParameters?: boolean;
  /**
   * Integrated coordinates. "relative": angles and displacements of joints along a tree; only joints that close loops
   * are constraints. "maximal": positions and velocities of all bodies; every joint is a constraint. "auto": relative
   * coordinates if they are cheaper; methods that need maximal coordinates get them. The public state is the same.
   * Default: "auto".
   */
  readonly coordinates?: "auto" | "relative" | "maximal";
  /**
   * Initial joint coordinates, by name. Bodies are moved there along the tree of joints, from the assembled initial
   * state of the model. Other joints stay unless a loop has to close.
   *
   * @example
   * await compile(robot, { joints: { elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } } });
   */
  readonly joints?: JointValues;
  /**
   * Fixes parts of the tree of joint coordinates, by name; the rest is chosen. `report.tree` shows the result.
   */
  readonly tree?: TreePins;
  /**
   * Aborts compilation with error code STOPPED; see {@link StopSignal} for what can abort while this thread computes.
   */
  readonly signal?: StopSignal;
  /** Aborts compilation after this many seconds of real time, with the same error code. Default: no limit. */
  readonly maximumSeconds?: number;
}

/** Shape of the options. {@link compile} checks `tree` and `hold` against the bodies and joints of the model. */
export const MODEL_SHAPE: Shape<Omit<CompiledOptions, "tree" | "hold">> = {
  time: finite,
  unnormalisedEulerParameters: flag,
  coordinates: oneOf("auto", "relative", "maximal"),
  joints: jointValues,
  signal: stopSignal,
  maximumSeconds: limit,
  start: START_SHAPE.start,
};

/** Throws on names that the model does not have, and on contradictory options. */
export function checkCompile(options: CompiledOptions, data: ModelData): void {
  checkStart(options, data);
  checkedPins(data, options.tree ?? {});
  if (options.joints) checkStartByJoints(data, options, options.joints);
}

/** Throws if initial joint coordinates name unknown joints or contradict those of bodies. */
function checkStartByJoints(
  data: ModelData,
  { start, hold }: StartOptions,
  joints: JointValues,
): void {
  const where = `${data.name}: compile`;
  checkJoints(where, data, joints);
  if (start !== "asGiven" && hold === undefined) return;
  throw new NodriftError(
    "DESCRIPTION",
    `${where}: \`joints\` moves bodies, so that ${hold ? "`hold`" : 'start: "asGiven"'} cannot keep them: drop one of the two`,
  );
}

/** Options stored in a compiled model. */
export type OwnOptions = Omit<CompiledOptions, "time" | "joints" | "signal" | "maximumSeconds">;

/** The stored options without those of the initial state. */
export function withoutStartOptions({ start: _, hold: __, ...options }: OwnOptions): OwnOptions {
  return options;
}

/**
 * Returns the options on which an initial state depends. One by joint coordinates is never reused, because it depends
 * on masses.
 */
export function startKey({
  time = 0,
  joints,
  unnormalisedEulerParameters = false,
  coordinates = "auto",
  tree = {},
  start = "assemble",
  hold,
}: CompiledOptions): readonly unknown[] {
  const byJoints = joints && Symbol("by joints");
  return [time, byJoints, unnormalisedEulerParameters, coordinates, tree, start, hold];
}
