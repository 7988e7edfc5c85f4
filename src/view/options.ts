// Options of a view and their validation.

import { hint, show } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { SceneOptions } from "../draw/scene.js";
import type { ModelInput } from "./feeds.js";

/** Parts of the picture that can be shown or not. */
export interface ShowOptions {
  /** Names of bodies. Default: false. */
  readonly names?: boolean;
  /** Joint symbols and their bases. Default: true. */
  readonly joints?: boolean;
  /** Frames of bodies. Default: false. */
  readonly frames?: boolean;
  /** Centres of mass. Default: false. */
  readonly masses?: boolean;
  /** A grid below the mechanism, if there is no road. Default: true. */
  readonly grid?: boolean;
  /** Arrows of joint reactions on the second bodies. Default: false. */
  readonly reactions?: boolean;
  /** Arrows of the forces of springs, tyres and loads. Default: false. */
  readonly forces?: boolean;
  /** Velocity arrows at centres of mass. Default: false. */
  readonly velocities?: boolean;
}

/** A slider for a parameter. */
export interface SliderOptions {
  /** Minimum. Default: a tenth of the value; -1 if that is zero. */
  readonly minimum?: number;
  /** Maximum. Default: three times the value; 1 if that is zero. */
  readonly maximum?: number;
  /** Label. Default: the name of the parameter. */
  readonly label?: string;
  /** Unit, shown after the value. */
  readonly unit?: string;
}

/** Options of {@link view}, including those of `view` in a model file. */
export interface ViewOptions extends SceneOptions {
  /** Model, for sources without one such as a live model of a worker. */
  readonly model?: ModelInput;
  /** Colour scheme. Default: "auto", that of the user's system. */
  readonly theme?: "auto" | "light" | "dark";
  /** Projection. Default: "perspective"; "orthographic" for planar mechanisms. */
  readonly projection?: "perspective" | "orthographic";
  /** Parts shown initially. */
  readonly show?: ShowOptions;
  /** Start playing immediately. Default: true, unless the user prefers reduced motion. */
  readonly play?: boolean;
  /** Whether the view advances the source; if false, you advance it yourself. Default: true. */
  readonly autoAdvance?: boolean;
  /** Simulated seconds per real second. Default: that of the source; a solution plays within some seconds. */
  readonly speed?: number;
  /** Buttons below the picture. Default: true. */
  readonly controls?: boolean;
  /** Legend of body names and colours above the picture. Default: true. */
  readonly legend?: boolean;
  /** Sliders for parameters by name, or false for none. Default: one for each parameter of the source. */
  readonly sliders?: false | Readonly<Record<string, SliderOptions>>;
  /** Whether bodies can be dragged. Default: true, if the source supports it. */
  readonly drag?: boolean;
  /** Draw in 2D, as without WebGL. Default: false. */
  readonly flat?: boolean;
}

/** Default visibility of the parts. */
export const SHOWN_AT_FIRST: Required<ShowOptions> = {
  names: false,
  joints: true,
  frames: false,
  masses: false,
  grid: true,
  reactions: false,
  forces: false,
  velocities: false,
};

const SHOWN = Object.keys(SHOWN_AT_FIRST);
const KEYS: Readonly<Record<keyof ViewOptions, string>> = {
  model: "object",
  theme: "auto|light|dark",
  projection: "perspective|orthographic",
  show: "object",
  play: "boolean",
  autoAdvance: "boolean",
  speed: "number",
  controls: "boolean",
  legend: "boolean",
  sliders: "object",
  drag: "boolean",
  flat: "boolean",
  from: "any",
  up: "any",
  follow: "any",
  traces: "any",
  draw: "any",
  labels: "boolean",
};

export function wrong(text: string): NodriftError {
  return new NodriftError("DESCRIPTION", `view: ${text}`);
}

/** Throws on unknown names and values of a wrong type. */
export function checkViewOptions(options: ViewOptions): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(`the options are ${show(options)}; give an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    const expected = KEYS[name as keyof ViewOptions];
    if (expected === undefined)
      throw wrong(`unknown option "${name}"${hint(name, Object.keys(KEYS))}`);
    const isOfKind = expected.includes("|")
      ? expected.split("|").includes(value as string)
      : expected === "any" || typeof value === expected || (name === "sliders" && value === false);
    if (value !== undefined && !isOfKind) {
      const what = expected.includes("|")
        ? `one of ${expected.split("|").join(", ")}`
        : `a ${expected}`;
      throw wrong(`${name} is ${show(value)}; give ${what}`);
    }
  }
  if (options.speed !== undefined && !(options.speed >= 0)) {
    throw wrong(`speed is ${show(options.speed)}; give 0 or more: 1 is real time`);
  }
  checkShown(options.show ?? {});
}

/** Throws unless the parts to show are valid. */
export function checkShown(parts: ShowOptions): void {
  for (const [name, value] of Object.entries(parts)) {
    if (!SHOWN.includes(name)) throw wrong(`show: unknown part "${name}"${hint(name, SHOWN)}`);
    if (typeof value !== "boolean")
      throw wrong(`show.${name} is ${show(value)}; give true or false`);
  }
}
