import { isModel, type Model } from "../../describe/mechanism.js";
import {
  type Body,
  type Handle,
  type Joint,
  nameGiven,
  partRule,
} from "../../describe/model/handles.js";
import type { ModelData } from "../../describe/model/model-data.js";
import { descriptionOf, NOTHING_SET } from "../../describe/settings.js";
import {
  answerMissing,
  listOf,
  optionsOf,
  options as pins,
  rule,
  type Shape,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { RunLimits, withLimits } from "../../ground/run-limits.js";
import { initBodies } from "../../ground/wasm/bodies.js";
import { init } from "../../ground/wasm/module.js";
import { checkCompile, MODEL_SHAPE, type ModelOptions } from "./compile-options.js";
import { CompiledModel } from "./compiled-model.js";
import { BodySimulation } from "./simulation/simulation.js";

/** Options of {@link compile}. Bodies and joints are given by their handles or their names. */
export interface CompileOptions extends Omit<ModelOptions, "tree" | "hold"> {
  /**
   * Pins of the tree of joint coordinates; what is not pinned is chosen. `report.tree` says what was.
   *
   * @example
   * await compile(fourBar, { tree: { cut: ["rocker pin"] } });
   */
  readonly tree?: {
    /** Joints that stay rows. */
    readonly cut?: readonly (string | Joint)[];
    /** Joints that are nodes of the tree. */
    readonly keep?: readonly (string | Joint)[];
    /** Bodies with coordinates of their own although joints hold them: see {@link TreePins}. */
    readonly free?: readonly (string | Body)[];
  };
  /**
   * Bodies that stay exactly as they were given, in pose and velocity; the others come as near to what was given as the joints allow. An
   * empty list holds nothing. Default: no pose is held, and every velocity that was given.
   */
  readonly hold?: readonly (string | Body)[];
  /**
   * A model that was compiled before, of the same mechanism: where only masses, inertias, gravity or constants of forces differ, its start, ranks
   * and tree are taken over, with the bits of a compilation from nothing in a fraction of the time. Else it is not used.
   *
   * @example
   * const heavier = await compile(crane(200), { like: await compile(crane(100)) });
   */
  readonly like?: CompiledModel;
}

const joints = listOf(partRule<Joint>("a joint"), "a list of joints, or their names");
const bodies = listOf(partRule<Body>("a body"), "a list of bodies, or their names");

answerMissing("system", CompiledModel.prototype);
answerMissing("simulation", BodySimulation.prototype);

const COMPILE_SHAPE: Shape<CompileOptions> = {
  ...MODEL_SHAPE,
  tree: pins<NonNullable<CompileOptions["tree"]>>({ cut: joints, keep: joints, free: bodies }),
  hold: bodies,
  like: rule<CompiledModel>(
    "a compiled model",
    (value) => typeof (value as Partial<CompiledModel> | null)?.twinOf === "function",
  ),
};

/**
 * Compiles a model: loads the kernels, assembles the start and checks the constraints. The result can be simulated many
 * times.
 *
 * @example
 * const system = await compile(pendulum);
 * const simulation = system.simulate({ step: 1e-3 });
 */
export async function compile(
  model: Model,
  options: CompileOptions = {},
  ...more: undefined[]
): Promise<CompiledModel> {
  if (!isModel(model)) {
    throw new NodriftError(
      "DESCRIPTION",
      "compile takes what model() made: const m = model(); ...; await compile(m)",
    );
  }
  const { like, ...given } = optionsOf("compile", "STEP", options, COMPILE_SHAPE, more);
  const described = model.data();
  const read = named(given, described);
  const { time = 0, signal, maximumSeconds, joints, ...rest } = read;
  const watch = new RunLimits(signal, maximumSeconds ?? Number.POSITIVE_INFINITY);
  const description = descriptionOf(model);
  // Only what controllers set needs the calls again.
  const data = described.controllers.some(({ sets }) => sets)
    ? description.data(NOTHING_SET)
    : described;
  if (data.bodies.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${data.name}: there is no body: add one with body({ ... })`,
    );
  }
  checkCompile(read, data);
  const [module] = await Promise.all([initBodies(), init()]);
  return withLimits(watch, () => {
    watch.check();
    const own = { description, settings: NOTHING_SET };
    const twin = like?.twinOf(data, own, read);
    if (twin) return twin;
    const compiled = new CompiledModel(data, module, time, rest, own);
    return joints ? compiled.startingAt(joints) : compiled;
  });
}

/** Options with names in place of handles. */
function named({ tree, hold, ...rest }: Omit<CompileOptions, "like">, data: ModelData) {
  const names = (list: readonly unknown[] | undefined, option: string, kind: Handle["kind"]) =>
    list?.map((part) => nameGiven(`compile: ${option}`, data, part, kind));
  const read: ModelOptions = {
    ...rest,
    ...(tree && {
      tree: {
        cut: names(tree.cut, "cut", "joint"),
        keep: names(tree.keep, "keep", "joint"),
        free: names(tree.free, "free", "body"),
      },
    }),
    ...(hold && { hold: names(hold, "hold", "body")! }),
  };
  return read;
}
