import type { ModelData } from "../../describe/model/model-data.js";
import { finite, flag, limit, oneOf, type Shape } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { type StopSignal, stopSignal } from "../../ground/run-limits.js";
import {
  checkStart,
  START_SHAPE,
  type StartOptions,
} from "../../systems/bodies/start/start-options.js";
import { checkedPins, type TreePins } from "../../systems/relative/plan/tree-options.js";
import { checkJoints, type JointValues, jointValues } from "./coordinates/joint-values.js";

/** What a compiled model is made by, besides its description. */
export interface ModelOptions extends StartOptions {
  /** Time at which the start is assembled. Default: 0. */
  readonly time?: number;
  /**
   * Do not normalise Euler parameters in Runge-Kutta stages, to compare with codes that integrate them like other
   * coordinates. Larger constraint errors. Default: false.
   */
  readonly unnormalisedEulerParameters?: boolean;
  /**
   * What methods integrate. "relative": angles and displacements of joints along a tree; only joints that close loops are
   * constraints. "maximal": positions and velocities of all bodies; every joint is a constraint. "auto": relative
   * coordinates where they are cheaper; methods that need maximal coordinates get them. What users see of a
   * state is the same. Default: "auto".
   */
  readonly coordinates?: "auto" | "relative" | "maximal";
  /**
   * Coordinates of joints at the start, by name. Bodies are moved there along the tree of joints, from the assembled start of
   * the model; joints not named stay as they are, but for what closes loops.
   *
   * @example
   * await compile(robot, { joints: { elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } } });
   */
  readonly joints?: JointValues;
  /**
   * Pins of the tree of joint coordinates, by names; what is not pinned is chosen. `report.tree` says what was.
   */
  readonly tree?: TreePins;
  /**
   * Aborts compilation with error code STOPPED; see {@link StopSignal} for what can abort while this thread computes.
   */
  readonly signal?: StopSignal;
  /** Aborts compilation likewise after so many seconds of real time. Default: none. */
  readonly maximumSeconds?: number;
}

/** Bodies and joints, `tree` and `hold`, are looked for in the model: by {@link compile}. */
export const MODEL_SHAPE: Shape<Omit<ModelOptions, "tree" | "hold">> = {
  time: finite,
  unnormalisedEulerParameters: flag,
  coordinates: oneOf("auto", "relative", "maximal"),
  joints: jointValues,
  signal: stopSignal,
  maximumSeconds: limit,
  start: START_SHAPE.start,
};

/** Refuses names that the model does not have, and what contradicts itself. */
export function checkCompile(options: ModelOptions, data: ModelData): void {
  checkStart(options, data);
  checkedPins(data, options.tree ?? {});
  if (options.joints) checkStartByJoints(data, options, options.joints);
}

/** Refuses a start by joints that do not exist, or that contradicts one by bodies. */
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

/** What a compiled model keeps of its options. */
export type OwnOptions = Omit<ModelOptions, "time" | "joints" | "signal" | "maximumSeconds">;

/** The options that belong to the model and not to its start. */
export function unheld({ start: _, hold: __, ...options }: OwnOptions): OwnOptions {
  return options;
}

/** What a start depends on besides the description. One by joints is like no other: it depends on masses. */
export function startKey({
  time = 0,
  joints,
  unnormalisedEulerParameters = false,
  coordinates = "auto",
  tree = {},
  start = "assemble",
  hold,
}: ModelOptions): readonly unknown[] {
  const byJoints = joints && Symbol("by joints");
  return [time, byJoints, unnormalisedEulerParameters, coordinates, tree, start, hold];
}
